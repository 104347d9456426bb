import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import express from 'express';
import pg from 'pg';
import { listen } from '../../config/listen.ts';
import { runUntilStopped, untilAborted } from '../../config/main.ts';

const TABLE = `
create table if not exists charges (
  id text primary key,
  tenant_id text not null,
  mode text not null,
  number bigint generated always as identity,
  status text not null,
  merchant_reference text,
  amount_kobo bigint not null,
  currency text not null,
  email text not null,
  name text,
  phone text,
  description text,
  return_url text,
  metadata json not null,
  provider_wanted text not null,
  slot text not null,
  connection_id text not null,
  created_by text not null,
  occurred_at timestamptz not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
)`;

const INSERT = `
insert into charges (id, tenant_id, mode, status, merchant_reference, amount_kobo, currency, email,
  name, phone, description, return_url, metadata, provider_wanted, slot, connection_id, created_by,
  occurred_at, created_at, expires_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)
returning number`;

const DAY_MS = 86_400_000;
const TENANT = 'ten_01jq8v5k3mf6yt2wz9d4c7b1ha';
const CONNECTION = 'con_01jq8v5k3mf6yt2wz9d4c7b1hb';

/**
 * The baseline for creating a charge: the cost of Express, pg and one insert of a charge's columns
 * on this machine, without credential, validation, idempotency, queue and log. It runs in its own
 * process with the service's settings.
 */
await runUntilStopped(async (stopped) => {
  const pool = new pg.Pool({
    connectionString: process.env.DATABASE_URL,
    max: Number(process.env.DATABASE_POOL_SIZE),
  });
  await pool.query(TABLE);
  const app = express();
  app.use(express.json());
  app.get('/', (_request, response) => void response.json({}));
  app.post(
    '/charges',
    async (request, response) => void response.status(201).json(await insert(pool, request.body)),
  );
  await using _server = await listen(createServer(app), Number(process.env.PORT));
  await untilAborted(stopped);
  await pool.end();
});

/** Writes the row and answers what the service answers, field by field. */
async function insert(pool: pg.Pool, body: Record<string, unknown>): Promise<object> {
  const { amount_kobo, email, name, phone, reference, description, return_url, metadata } = body;
  const id = `txn_${randomUUID()}`;
  const now = new Date();
  const expiresAt = new Date(now.getTime() + DAY_MS);
  const customer = [email, name, phone, description, return_url, JSON.stringify(metadata)];
  const rest = ['auto', 'provider_a', CONNECTION, 'secret', now, now, expiresAt];
  const values = [
    id,
    TENANT,
    'test',
    'initiated',
    reference,
    amount_kobo,
    'NGN',
    ...customer,
    ...rest,
  ];
  const { rows } = await pool.query<{ number: string }>(INSERT, values);
  return {
    object: 'checkout',
    id,
    reference: `SV-${rows[0]?.number}`,
    merchant_reference: reference,
    status: 'open',
    amount_kobo,
    currency: 'NGN',
    checkout_url: `http://localhost:4000/pay/${id}`,
    checkout_token: id,
    provider: 'provider_a',
    expires_at: expiresAt,
    mode: 'test',
    transaction: null,
  };
}
