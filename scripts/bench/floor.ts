import { randomUUID } from 'node:crypto';
import express from 'express';
import pg from 'pg';
import { DAY_MS } from '../../domain/shared/units.ts';
import { serve } from './serve.ts';

const TEXTS = [
  ...['id', 'tenant_id', 'mode', 'status', 'merchant_reference', 'currency', 'email', 'name'],
  ...['phone', 'description', 'return_url', 'provider_wanted', 'slot', 'connection_id'],
  'created_by',
];
const TIMES = ['occurred_at', 'created_at', 'expires_at'];
const COLUMNS = [...TEXTS, 'amount_kobo', 'metadata', ...TIMES];

const TABLE = `
create table if not exists floor_charges (number bigint generated always as identity,
  ${TEXTS.map((name) => `${name} text`).join(', ')}, amount_kobo bigint, metadata json,
  ${TIMES.map((name) => `${name} timestamptz`).join(', ')}, primary key (id))`;

const INSERT = `
insert into floor_charges (${COLUMNS.join(', ')})
values (${COLUMNS.map((_, n) => `$${n + 1}`).join(', ')}) returning number`;

const TENANT = 'ten_01jq8v5k3mf6yt2wz9d4c7b1ha';
const CONNECTION = 'con_01jq8v5k3mf6yt2wz9d4c7b1hb';

/** The floor of creating and reading a charge: Express, pg and one statement. */
await serve(async (scope) => {
  const { DATABASE_URL: connectionString, DATABASE_POOL_SIZE: max } = process.env;
  const pool = new pg.Pool({ connectionString, max: Number(max) });
  scope.defer(() => pool.end());
  await pool.query(TABLE);
  const app = express();
  app.use(express.json());
  app.get('/', (_request, response) => void response.json({}));
  app.post('/charges', async (request, response) => {
    response.status(201).json(await insert(pool, request.body));
  });
  app.get('/charges/:reference', async (request, response) => {
    const number = request.params.reference.slice('SV-'.length);
    const { rows } = await pool.query('select * from charges where number = $1', [number]);
    response.json(rows[0]);
  });
  return app;
});

/** Writes the row and answers what the service answers, field by field. */
async function insert(pool: pg.Pool, body: Record<string, unknown>): Promise<object> {
  const { amount_kobo, email, name, phone, reference, description, return_url, metadata } = body;
  const id = `txn_${randomUUID()}`;
  const now = new Date();
  const expiresAt = new Date(now.getTime() + DAY_MS);
  const { rows } = await pool.query<{ number: string }>(INSERT, [
    ...[id, TENANT, 'test', 'initiated', reference, 'NGN', email, name],
    ...[phone, description, return_url, 'auto', 'provider_a', CONNECTION],
    ...['secret', amount_kobo, JSON.stringify(metadata), now, now, expiresAt],
  ]);
  return {
    ...{ object: 'checkout', id, reference: `SV-${rows[0]?.number}` },
    ...{ merchant_reference: reference, status: 'open', amount_kobo, currency: 'NGN' },
    ...{ checkout_url: `http://localhost:4000/pay/${id}`, checkout_token: id },
    ...{ provider: 'provider_a', expires_at: expiresAt, mode: 'test', transaction: null },
  };
}
