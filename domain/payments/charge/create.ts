import type { Role } from '../../accounts/roles.ts';
import { isLocalHost } from '../../shared/hosts.ts';
import { newId, randomBase36 } from '../../shared/ids.ts';
import type { Fields } from '../../shared/problems.ts';
import type { Tx } from '../../shared/tx.ts';
import { type AskedRow, type InsertedRow, insertByCredential, insertByLink } from './insert.ts';
import { fieldsOutOfBounds } from './key-bounds.ts';
import type { NewCharge } from './row.ts';

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
  /** The first attempt; null: nothing was written. */
  attemptId: string | null;
}

/** What writing charges needs of a transaction; a statement that commits by itself will do. */
export type ChargeTx = Pick<Tx, 'sql' | 'enqueue'>;

/** A charge that is asked for. */
export interface ChargeRequest {
  asker: Asker;
  charge: NewCharge;
  answerTemplate: string;
  now: Date;
}

/**
 * Writes charges that credentials ask for, in one round trip, all or none: each as `createCharge`
 * does, with an answer of its own. No two have the same idempotency key.
 */
export async function createCharges(
  tx: ChargeTx,
  requests: readonly ChargeRequest[],
): Promise<CreatedCharge[]> {
  return insert(insertByCredential, tx, requests);
}

/**
 * Writes a charge in one round trip: checks that whoever asks may ask for this now, claims the
 * idempotency key, chooses the first connection, takes the next SV number, and writes the charge,
 * its first attempt and the remembered answer together, or nothing at all. Of concurrent requests
 * with one idempotency key, or for one payment link, one writes; the others wait for it here and
 * get `answer: null`. A key that was used before takes no number.
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

/** Requests that are written together come from one route, whose callers have the same roles. */
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
    now,
  };
}

/**
 * The web origin that a public key must list; null: none. In test mode a local host needs no list:
 * whoever follows the link ends on their own machine.
 */
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
