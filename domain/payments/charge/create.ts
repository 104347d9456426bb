import type { Role } from '../../accounts/roles.ts';
import { isLocalHost } from '../../shared/hosts.ts';
import { newId, randomBase36 } from '../../shared/ids.ts';
import type { Fields } from '../../shared/problems.ts';
import type { Tx } from '../../shared/tx.ts';
import { wordsOf } from '../../shared/words.ts';
import { type AskedRow, type InsertedRow, insertByCredential, insertByLink } from './insert.ts';
import { fieldsOutOfBounds } from './key-bounds.ts';
import type { NewCharge } from './row.ts';

export type Asker =
  | {
      sha256: string;
      roles: readonly Role[];
      origin: string | null;
      idempotency: { scope: string; key: string; bodySha256: string } | undefined;
    }
  | { paymentLinkId: string };

/**
 * The statement puts the reference and the slot in their place. JSON text never holds these raw
 * control characters, so no value a merchant sends can be mistaken for one.
 */
export const REFERENCE_PLACEHOLDER = '\u0001';
export const SLOT_PLACEHOLDER = '\u0002';

export interface CreatedCharge {
  /** Null: the credential or link is not valid, or may not do this. */
  tenantId: string | null;
  /** What the public key does not allow; null: nothing. */
  outOfBounds: Fields | null;
  isConnected: boolean;
  /** Null: out of bounds, unconnected, a used idempotency key, or an open charge of the link. */
  answer: string | null;
  attemptId: string | null;
}

/** A statement that commits by itself will do. */
export type ChargeTx = Pick<Tx, 'sql' | 'enqueue'>;

export interface ChargeRequest {
  asker: Asker;
  charge: NewCharge;
  answerTemplate: string;
  now: Date;
}

/** All or none, in one round trip. No two have the same idempotency key. */
export async function createCharges(tx: ChargeTx, requests: readonly ChargeRequest[]) {
  return insert(insertByCredential, tx, requests);
}

/**
 * Checks the asker, claims the idempotency key, takes an SV number and writes the charge, its first
 * attempt and the remembered answer in one round trip, or nothing. Of concurrent requests with one
 * key or link one writes; the others wait and get `answer: null`.
 */
export async function createCharge(tx: ChargeTx, request: ChargeRequest): Promise<CreatedCharge> {
  const isByLink = 'paymentLinkId' in request.asker;
  const [created] = await insert(isByLink ? insertByLink : insertByCredential, tx, [request]);
  return created!;
}

async function insert(
  write: typeof insertByCredential,
  { sql, enqueue }: ChargeTx,
  requests: readonly ChargeRequest[],
): Promise<CreatedCharge[]> {
  const asked = requests.map(askedRow);
  const inserted = await write(sql, asked, rolesOf(requests));
  const byId = new Map(inserted.map((row) => [row.id, row]));
  return asked.map(({ id, attempt_id: attemptId }) => {
    const row = byId.get(id);
    const created = createdFrom(row, attemptId);
    if (created.attemptId !== null)
      enqueue({ queue: 'charge-create', id: attemptId, group: row!.connection_id! });
    return created;
  });
}

/** Requests written together have the same roles. */
function rolesOf([request]: readonly ChargeRequest[]): readonly Role[] {
  return request && 'roles' in request.asker ? request.asker.roles : [];
}

function askedRow({ asker, charge, answerTemplate, now }: ChargeRequest): AskedRow {
  return {
    ...charge,
    metadata: JSON.stringify(charge.metadata),
    return_origin: returnOriginOf(charge),
    ...valuesOf(asker),
    answer: answerTemplate,
    attempt_id: newId('att', now),
    attempt_suffix: randomBase36(8),
    name_words: wordsOf(charge.name ?? '').join(' '),
    now,
  };
}

/** The origin a public key must list. Local hosts need none in test mode: it is the payer's own. */
function returnOriginOf({ return_url: returnUrl, mode }: NewCharge): string | null {
  if (returnUrl === null) return null;
  const { origin, hostname } = new URL(returnUrl);
  return mode === 'test' && isLocalHost(hostname) ? null : origin;
}

function valuesOf(asker: Asker) {
  if ('paymentLinkId' in asker) {
    const { paymentLinkId } = asker;
    return { asker: paymentLinkId, origin: null, scope: null, key: null, body_sha256: null };
  }
  const { sha256, origin, idempotency } = asker;
  const { scope = null, key = null, bodySha256 = null } = idempotency ?? {};
  return { asker: sha256, origin, scope, key, body_sha256: bodySha256 };
}

function createdFrom(row: InsertedRow | undefined, attemptId: string): CreatedCharge {
  if (!row)
    return { tenantId: null, outOfBounds: null, isConnected: false, answer: null, attemptId: null };
  return {
    tenantId: row.tenant_id,
    outOfBounds: fieldsOutOfBounds(row),
    isConnected: row.is_connected,
    answer: row.answer,
    attemptId: row.answer === null ? null : attemptId,
  };
}
