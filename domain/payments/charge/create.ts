import { claimKeysOf } from '../../accounts/idempotency/remembered.ts';
import type { Role } from '../../accounts/roles.ts';
import type { Job } from '../../jobs.ts';
import { newId, randomBase36 } from '../../shared/ids.ts';
import type { Fields } from '../../shared/problems.ts';
import { type Sql, statement } from '../../shared/sql.ts';
import { fieldsOutOfBounds, type KeyBoundsRow, keyBounds, noKeyBounds } from './key-bounds.ts';
import { givenColumns, type NewCharge } from './row.ts';

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
 * Stand in the answer's bytes for what only the statement knows, which puts the reference and the
 * slot in their place. Both are raw control characters, which JSON text never holds, so no value a
 * merchant sends can be mistaken for one.
 */
export const REFERENCE_PLACEHOLDER = '\u0001';
export const SLOT_PLACEHOLDER = '\u0002';

export interface CreatedCharge {
  /**
   * Null: the credential is not valid (any more), or may not do this; the link is not active (any
   * more).
   */
  tenantId: string | null;
  /** What the public key does not allow, by field; null: nothing. */
  outOfBounds: Fields | null;
  /** Whether a connection serves the mode and slot. */
  isConnected: boolean;
  /**
   * Null: nothing was written, because a field is out of bounds, there is no such connection, the
   * idempotency key was used before, or the link has an open charge.
   */
  answer: string | null;
  job: Job | null;
}

/**
 * Writes a charge in one round trip: checks that whoever asks may ask for this now, claims the
 * idempotency key, chooses the first connection, takes the next SV number, and writes the charge,
 * its first attempt and the remembered answer together, or nothing at all. Of concurrent requests
 * with one idempotency key, or for one payment link, one writes; the others wait for it here and
 * get `answer: null`. A key that was used before takes no number.
 */
export async function createCharge(
  sql: Sql,
  asker: Asker,
  charge: NewCharge,
  answerTemplate: string,
  now: Date,
): Promise<CreatedCharge> {
  const attemptId = newId('att', now);
  const insert = 'paymentLinkId' in asker ? insertByLink : insertByCredential;
  const [row] = await insert(sql, {
    ...charge,
    metadata: JSON.stringify(charge.metadata),
    return_origin: charge.return_url === null ? null : new URL(charge.return_url).origin,
    ...valuesOf(asker),
    answer: answerTemplate,
    attempt_id: attemptId,
    attempt_suffix: randomBase36(8),
    now,
  });
  if (!row)
    return { tenantId: null, outOfBounds: null, isConnected: false, answer: null, job: null };
  const job: Job | null =
    row.answer === null
      ? null
      : { queue: 'charge-create', id: attemptId, tries: 0, group: row.connection_id! };
  return {
    tenantId: row.tenant_id,
    outOfBounds: fieldsOutOfBounds(row),
    isConnected: row.is_connected,
    answer: row.answer,
    job,
  };
}

function valuesOf(asker: Asker) {
  if ('paymentLinkId' in asker)
    return { link_id: asker.paymentLinkId, scope: null, key: null, body_sha256: null };
  const { sha256, roles, origin, idempotency } = asker;
  const { scope = null, key = null, bodySha256 = null } = idempotency ?? {};
  return { sha256, roles, origin, scope, key, body_sha256: bodySha256 };
}

interface InsertedRow extends KeyBoundsRow {
  tenant_id: string;
  is_connected: boolean;
  connection_id: string | null;
  answer: string | null;
}

const insertByCredential = statement<InsertedRow>(
  insertBy(`
  select tenant_id, role, null as link_id,${keyBounds} from credentials
  where sha256 = :sha256 and mode = :mode and (expires_at is null or expires_at > :now)
    and role = any(:roles) and (allowed_origins is null or :origin = any(allowed_origins))`),
);

// The link is locked first: while it is being paid this waits, and then finds it paid.
const insertByLink = statement<InsertedRow>(
  insertBy(
    `
  select tenant_id, 'link' as role, id as link_id,${noKeyBounds} from payment_links
  where id = :link_id and mode = :mode and status = 'active' and expires_at > :now for share`,
    `on conflict (payment_link_id)
    where payment_link_id is not null and status in ('initiated', 'pending') do nothing`,
  ),
);

// A key is looked for by a scalar subquery, not by `not exists`: that one may be hashed, which
// reads the whole table.
function insertBy(asker: string, onConflict = ''): string {
  return `
with asker as (${asker}
), connection as (
  select connections.id as connection_id, connections.slot, asker.*
  from connections join asker using (tenant_id)
  where connections.mode = :mode and disabled_at is null and out_of_bounds = '{}'
    and (:provider_wanted = 'auto' or slot = :provider_wanted)
  order by position, connections.id limit 1
), numbered as (
  select *, nextval('sv_numbers') as number from connection
  where :key::text is null or (
    select 1 from idempotency_keys used
    where used.tenant_id = connection.tenant_id and used.mode = :mode
      and scope = :scope and key = :key
  ) is null
), answered as (
  select *, replace(replace(:answer, E'\\x01', 'SV-' || number), E'\\x02', slot) as answer
  from numbered
), claimed as (${claimKeysOf(
    `select tenant_id, :mode, :scope, :key, :body_sha256, 201, answer, :now
  from answered where :key::text is not null`,
  )}
), charge as (
  insert into charges (${givenColumns.join(', ')},
    tenant_id, number, status, slot, connection_id, created_by, payment_link_id,
    occurred_at, created_at)
  select ${givenColumns.map(givenValueOf).join(', ')},
    tenant_id, number, 'initiated', slot, connection_id,
    case when role in ('secret', 'public', 'link') then role else 'member' end, link_id,
    :now, :now
  from answered where :key::text is null or exists (select from claimed)
  ${onConflict}
  returning id, number
), attempt as (
  insert into attempts (
    id, charge_id, connection_id, slot, reference, status, due_at, created_at)
  select :attempt_id, charge.id, connection_id, slot,
    'SV-' || charge.number || '-' || :attempt_suffix, 'queued', :now, :now
  from charge, answered
)
select asker.*, connection.connection_id is not null as is_connected, connection.connection_id,
  case when charge.id is null then null else answered.answer end as answer
from asker
  left join connection on true left join answered on true left join charge on true`;
}

/** A charge without a description takes the one that its public key has. */
function givenValueOf(column: (typeof givenColumns)[number]): string {
  return column === 'description' ? 'coalesce(:description, key_description)' : `:${column}`;
}
