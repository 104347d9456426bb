import { LockMode } from '@mikro-orm/core';
import type { RowOf } from '../../shared/columns.ts';
import { newId } from '../../shared/ids.ts';
import { Problem } from '../../shared/problems.ts';
import type { Reader } from '../../shared/reader.ts';
import { sha256Of } from '../../shared/sha256.ts';
import type { Entities } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import { HOUR_MS } from '../../shared/units.ts';
import { type Actor, recordChange } from '../audit-log/record-change.ts';
import { ApiKey } from '../entities/api-key.ts';
import { lockTenant } from '../lock-tenant.ts';
import { type KeyKind, newKey } from '../token/credentials.ts';
import { boundsOf, checkBounds, type KeyBounds, unbounded } from './key-bounds.ts';

export type ApiKeyRow = RowOf<typeof ApiKey>;

export interface NewApiKey {
  kind: KeyKind;
  name: string | null;
  bounds?: Partial<KeyBounds>;
}

/** More than anyone needs, too few to fill the database. */
const MAX_ACTIVE_KEYS = 50;

/** Prepares a key, which is shown once. Written when the EntityManager flushes. */
export function addApiKey(
  { em, now }: Pick<Tx, 'em' | 'now'>,
  { tenantId, mode }: Reader,
  { kind, name, bounds }: NewApiKey,
): { row: ApiKeyRow; key: string } {
  const key = newKey(kind, mode);
  const row = em.create(ApiKey, {
    id: newId('key', now),
    tenant_id: tenantId,
    mode,
    kind,
    name,
    sha256: sha256Of(key),
    public_key: kind === 'public' ? key : null,
    last4: key.slice(-4),
    ...unbounded,
    ...bounds,
    created_at: now,
    expires_at: null,
    revoked_at: null,
    last_used_at: null,
  });
  return { row, key };
}

/** Creates a key, which is shown once. Throws `invalid_state` above the bound, also under races. */
export async function createApiKey(
  tx: Tx,
  actor: Actor,
  newApiKey: NewApiKey,
): Promise<{ row: ApiKeyRow; key: string }> {
  const { tenantId, mode } = actor;
  const { kind, bounds = {} } = newApiKey;
  checkBounds({ kind, ...unbounded, ...bounds }, bounds);
  await lockTenant(tx, tenantId);
  const active = await tx.em.count(ApiKey, {
    ...{ tenant_id: tenantId, mode, revoked_at: null },
    $or: [{ expires_at: null }, { expires_at: { $gt: tx.now } }],
  });
  if (active >= MAX_ACTIVE_KEYS)
    throw new Problem(
      'invalid_state',
      `There are ${MAX_ACTIVE_KEYS} live keys in ${mode} mode already. Revoke one first.`,
    );
  const { row, key } = addApiKey(tx, actor, newApiKey);
  await recordChange(tx, actor, 'api_key.created', row.id, `${row.kind} …${row.last4}`);
  return { row, key };
}

/** Keys whose id sorts before `before`, revoked ones too, newest first. */
export function listApiKeys(
  { em }: Entities,
  { tenantId, mode }: Reader,
  before: string,
  limit: number,
): Promise<ApiKeyRow[]> {
  return em.find(
    ApiKey,
    { tenant_id: tenantId, mode, id: { $lt: before } },
    { orderBy: { id: 'desc' }, limit },
  );
}

/** Finds the key, revoked or not. Throws `not_found`. */
export async function findApiKey(
  { em }: Entities,
  { tenantId, mode }: Reader,
  id: string,
  options: { lockMode?: LockMode } = {},
): Promise<ApiKeyRow> {
  const row = await em.findOne(ApiKey, { tenant_id: tenantId, mode, id }, options);
  if (!row) throw new Problem('not_found', 'There is no API key with this id in this mode.');
  return row;
}

/** What is absent stays; a bound that is null is lifted. */
export type ApiKeyChanges = Partial<KeyBounds> & { name?: string };

/** Revoked, or rotated and past its last hour. */
export function isOver({ revoked_at, expires_at }: ApiKeyRow, now: Date): boolean {
  return revoked_at !== null || (expires_at !== null && expires_at <= now);
}

/** Throws `not_found`, and `invalid_state` for a key that is over. */
export async function changeApiKey(tx: Tx, actor: Actor, id: string, changes: ApiKeyChanges) {
  const row = await lockApiKey(tx, actor, id);
  checkBounds({ ...row, ...changes }, changes);
  if (isOver(row, tx.now))
    throw new Problem('invalid_state', 'This key is revoked and cannot be changed any more.');
  const fields = Object.keys(changes) as (keyof ApiKeyChanges)[];
  const changed = fields.filter(
    (field) => JSON.stringify(changes[field]) !== JSON.stringify(row[field]),
  );
  if (changed.length === 0) return row;
  Object.assign(row, changes);
  const details = changed.map((field) =>
    field === 'name' ? field : `${field}: ${[row[field] ?? 'any'].flat().join(', ')}`,
  );
  await recordChange(tx, actor, 'api_key.changed', id, details.join('; '));
  return row;
}

/** A revoked key is refused from the next statement on. Throws `not_found`. */
export async function revokeApiKey(tx: Tx, actor: Actor, id: string): Promise<ApiKeyRow> {
  const row = await lockApiKey(tx, actor, id);
  if (row.revoked_at) return row;
  row.revoked_at = tx.now;
  await recordChange(tx, actor, 'api_key.revoked', id, `${row.kind} …${row.last4}`);
  return row;
}

/** Long enough to change every server that has the key. */
export const MAX_OVERLAP_HOURS = 7 * 24;

/**
 * Makes a key's successor, alike but for the key itself, which is shown once. The old key works
 * for some hours more. Throws `not_found`, and `invalid_state` for one that was rotated or is over.
 */
export async function rotateApiKey(tx: Tx, actor: Actor, id: string, overlapHours: number) {
  const row = await lockApiKey(tx, actor, id);
  if (row.revoked_at || row.expires_at)
    throw new Problem('invalid_state', 'This key is revoked, or was rotated before.');
  const { kind, name } = row;
  const until = new Date(tx.now.getTime() + overlapHours * HOUR_MS);
  Object.assign(row, overlapHours === 0 ? { revoked_at: until } : { expires_at: until });
  await tx.em.flush(); // first, so that one that stops at once makes room for its successor
  const successor = await createApiKey(tx, actor, { kind, name, bounds: boundsOf(row) });
  const detail = `${kind} …${row.last4}, which works until ${until.toISOString()}`;
  await recordChange(tx, actor, 'api_key.rotated', id, `${detail}; now …${successor.row.last4}`);
  return successor;
}

function lockApiKey(tx: Tx, reader: Reader, id: string): Promise<ApiKeyRow> {
  return findApiKey(tx, reader, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
}
