import { claimKeysOf } from '../../accounts/idempotency/remembered.ts';
import type { Role } from '../../accounts/roles.ts';
import type { Job } from '../../jobs.ts';
import { newId, randomBase36 } from '../../shared/ids.ts';
import type { Mode } from '../../shared/reader.ts';
import type { Sql } from '../../shared/sql.ts';

/**
 * A charge as it is asked for: validated, normalised, with everything that does not depend on the
 * database.
 */
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

/**
 * Who asks for the charge: a credential in one of these roles, or a payer who opened a payment
 * link.
 */
export type Asker =
  | {
      sha256: string;
      roles: readonly Role[];
      origin: string | null;
      idempotency: IdempotencyClaim | undefined;
    }
  | { paymentLinkId: string };

/** The idempotency key of a request and what its body hashes to. */
export interface IdempotencyClaim {
  /** Credential class, method and path. */
  scope: string;
  key: string;
  /** SHA-256 of the canonical body, hex. */
  bodySha256: string;
}

/**
 * The answer's bytes, but for what only the statement knows: it puts the reference in place of
 * `REFERENCE_HOLE` and the slot in place of `SLOT_HOLE`. Both are raw control characters, which
 * JSON text never holds, so no value a merchant sends can be mistaken for one.
 */
export const REFERENCE_HOLE = '\u0001';
export const SLOT_HOLE = '\u0002';

export interface CreatedCharge {
  /**
   * Null: the credential is not good (any more), or may not do this; the link takes no money (any
   * more).
   */
  tenantId: string | null;
  /** Whether a connection serves the mode and slot. */
  isConnected: boolean;
  /**
   * Null: nothing was written, because there is no such connection, the idempotency key was used
   * before, or the link has an open charge.
   */
  answer: string | null;
  job: Job | null;
}

/**
 * Writes a charge in one round trip: checks that whoever asks may do so now, takes the idempotency
 * key, chooses the first connection, draws the SV number, and writes the charge, its first
 * attempt's promise and the remembered answer together, or nothing at all. Twins under one
 * idempotency key wait for each other here; one writes, the others get `answer: null`. A key used
 * before draws no number. So do twins of one payment link, which has one open charge at the most.
 */
export async function createCharge(
  sql: Sql,
  asker: Asker,
  charge: NewCharge,
  answerTemplate: string,
  now: Date,
): Promise<CreatedCharge> {
  const attemptId = newId('att', now);
  const byLink = 'paymentLinkId' in asker;
  const idempotency = byLink ? undefined : asker.idempotency;
  const [row] = await sql.query<{ tenant_id: string; connected: boolean; answer: string | null }>(
    byLink ? CREATE_BY_LINK : CREATE,
    [
      byLink ? asker.paymentLinkId : asker.sha256,
      charge.mode,
      charge.provider,
      idempotency?.scope ?? null,
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
      ...(byLink ? [] : [asker.roles, asker.origin]),
    ],
  );
  if (!row) return { tenantId: null, isConnected: false, answer: null, job: null };
  const job: Job | null =
    row.answer === null ? null : { queue: 'charge-create', id: attemptId, tries: 0 };
  return { tenantId: row.tenant_id, isConnected: row.connected, answer: row.answer, job };
}

const BY_CREDENTIAL = `
  select tenant_id, role, null as link_id from credentials
  where sha256 = $1 and mode = $2 and (expires_at is null or expires_at > $8)
    and role = any($22) and (allowed_origins is null or $23 = any(allowed_origins))`;

// The link is locked first: while it is being paid this waits, and then finds that it takes no more
// money.
const BY_LINK = `
  select tenant_id, 'link' as role, id as link_id from payment_links
  where id = $1 and mode = $2 and status = 'active' and expires_at > $8 for share`;

const CREATE = createBy(BY_CREDENTIAL);
const CREATE_BY_LINK = createBy(
  BY_LINK,
  `on conflict (payment_link_id) where payment_link_id is not null and status in ('initiated', 'pending') do nothing`,
);

// A key is looked for by a scalar subquery, not by `not exists`: that one may be hashed, which
// reads the whole table.
function createBy(asker: string, onConflict = ''): string {
  return `
with asker as (${asker}
), connection as (
  select connections.id, connections.slot, asker.*
  from connections join asker using (tenant_id)
  where connections.mode = $2 and disabled_at is null and ($3 = 'auto' or slot = $3)
  order by position, connections.id limit 1
), drawn as (
  select *, replace(replace($7, E'\\x01', 'SV-' || number), E'\\x02', slot) as answer
  from (select *, nextval('sv_numbers') as number from connection where $5::text is null or (
    select 1 from idempotency_keys used where used.tenant_id = connection.tenant_id and used.mode = $2 and scope = $4 and key = $5
  ) is null) numbered
), claimed as (${claimKeysOf(
    'select tenant_id, $2, $4, $5, $6, 201, answer, $8 from drawn where $5::text is not null',
  )}
), charge as (
  insert into charges (id, tenant_id, mode, number, status, merchant_reference, amount_kobo, currency, email, name, phone, description,
    return_url, metadata, provider_wanted, slot, connection_id, created_by, payment_link_id, occurred_at, created_at, expires_at)
  select $9, tenant_id, $2, number, 'initiated', $10, $11, $12, $13, $14, $15, $16, $17, $18, $3, slot, id,
    case when role in ('secret', 'public', 'link') then role else 'member' end, link_id, $8, $8, $19
  from drawn where $5::text is null or exists (select from claimed)
  ${onConflict}
  returning id, number
), attempt as (
  insert into attempts (id, charge_id, connection_id, slot, reference, status, due_at, created_at)
  select $20, charge.id, drawn.id, drawn.slot, 'SV-' || charge.number || '-' || $21, 'queued', $8, $8 from charge, drawn
)
select asker.tenant_id, connection.id is not null as connected, case when charge.id is null then null else drawn.answer end as answer
from asker left join connection on true left join drawn on true left join charge on true`;
}
