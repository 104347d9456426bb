import { newId, randomBase36 } from '../ids.ts';
import type { Job } from '../jobs.ts';
import type { Sql } from '../sql.ts';
import type { Mode } from './row.ts';

/** A charge as it is asked for: validated, normalised, with everything that does not depend on the database. */
export interface NewCharge {
  id: string;
  mode: Mode;
  amountKobo: number;
  currency: string;
  email: string;
  name: string | null;
  phone: string | null;
  merchantReference: string | null;
  description: string | null;
  returnUrl: string | null;
  metadata: Record<string, unknown>;
  provider: string;
  expiresAt: Date;
}

/** The idempotency key of a request and what its body hashes to. */
export interface IdempotencyClaim {
  /** Method and path, e.g. `POST /charges`. */
  route: string;
  key: string;
  /** SHA-256 of the canonical body, hex. */
  bodySha256: string;
}

/**
 * The answer's bytes, but for what only the statement knows: it puts the reference in place of `REFERENCE_HOLE` and the slot in place
 * of `SLOT_HOLE`. Both are raw control characters, which JSON text never holds, so no value a merchant sends can be mistaken for one.
 */
export const REFERENCE_HOLE = '\u0001';
export const SLOT_HOLE = '\u0002';

export interface CreatedCharge {
  /** Null: the credential is not good (any more). */
  tenantId: string | null;
  /** Whether a connection serves the mode and slot. */
  isConnected: boolean;
  /** Null: nothing was written, because there is no such connection or the idempotency key was used before. */
  answer: string | null;
  job: Job | null;
}

/**
 * Writes a charge in one round trip: checks that the secret key is good now, takes the idempotency key, chooses the first connection,
 * draws the SV number, and writes the charge, its first attempt's promise and the remembered answer together, or nothing at all.
 * Twins under one idempotency key wait for each other here; one writes, the others get `answer: null`. A key used before draws no number.
 */
export async function createCharge(
  sql: Sql,
  keySha256: string,
  charge: NewCharge,
  answerTemplate: string,
  idempotency: IdempotencyClaim | undefined,
  now: Date,
): Promise<CreatedCharge> {
  const attemptId = newId('att', now);
  const [row] = await sql.query<{ tenant_id: string; connected: boolean; answer: string | null }>(CREATE_CHARGE, [
    keySha256,
    charge.mode,
    charge.provider,
    idempotency?.route ?? null,
    idempotency?.key ?? null,
    idempotency?.bodySha256 ?? null,
    answerTemplate,
    now,
    charge.id,
    charge.merchantReference,
    charge.amountKobo,
    charge.currency,
    charge.email,
    charge.name,
    charge.phone,
    charge.description,
    charge.returnUrl,
    JSON.stringify(charge.metadata),
    charge.expiresAt,
    attemptId,
    randomBase36(8),
  ]);
  if (!row) return { tenantId: null, isConnected: false, answer: null, job: null };
  const job: Job | null = row.answer === null ? null : { queue: 'charge-create', id: attemptId, tries: 0 };
  return { tenantId: row.tenant_id, isConnected: row.connected, answer: row.answer, job };
}

const CREATE_CHARGE = `
with credential as (
  select tenant_id from api_keys where sha256 = $1 and mode = $2 and kind = 'secret' and revoked_at is null
), connection as (
  select connections.id, connections.slot, connections.tenant_id
  from connections join credential using (tenant_id)
  where connections.mode = $2 and disabled_at is null and ($3 = 'auto' or slot = $3)
  order by position, connections.id limit 1
), drawn as (
  select *, replace(replace($7, E'\\x01', 'SV-' || number), E'\\x02', slot) as answer
  from (select *, nextval('sv_numbers') as number from connection where $5::text is null or not exists (
    select from idempotency_keys used where used.tenant_id = connection.tenant_id and used.mode = $2 and scope = 'secret ' || $4 and key = $5
  )) numbered
), claimed as (
  insert into idempotency_keys (tenant_id, mode, scope, key, body_sha256, status, answer, created_at)
  select tenant_id, $2, 'secret ' || $4, $5, $6, 201, answer, $8 from drawn where $5::text is not null
  on conflict do nothing returning 1
), charge as (
  insert into charges (id, tenant_id, mode, number, status, merchant_reference, amount_kobo, currency, email, name, phone, description,
    return_url, metadata, provider_wanted, slot, connection_id, created_by, occurred_at, created_at, expires_at)
  select $9, tenant_id, $2, number, 'initiated', $10, $11, $12, $13, $14, $15, $16, $17, $18, $3, slot, id, 'secret', $8, $8, $19
  from drawn where $5::text is null or exists (select from claimed)
  returning id, number
), attempt as (
  insert into attempts (id, charge_id, connection_id, slot, reference, status, due_at, created_at)
  select $20, charge.id, drawn.id, drawn.slot, 'SV-' || charge.number || '-' || $21, 'sending', $8, $8 from charge, drawn
)
select credential.tenant_id, connection.id is not null as connected, case when charge.id is null then null else drawn.answer end as answer
from credential left join connection on true left join drawn on true left join charge on true`;
