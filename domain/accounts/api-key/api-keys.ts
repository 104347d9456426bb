import { newId } from '../../shared/ids.ts';
import { invalid, Problem } from '../../shared/problems.ts';
import type { Mode, Reader } from '../../shared/reader.ts';
import { sha256Of } from '../../shared/sha256.ts';
import type { Sql } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import { type Actor, recordChange } from '../audit-log/record-change.ts';
import { type KeyKind, newKey } from '../token/credentials.ts';

/** An API key as it is kept: the key itself is kept nowhere. */
export interface ApiKeyRow {
  id: string;
  kind: KeyKind;
  mode: Mode;
  name: string | null;
  last4: string;
  /** The web origins a public key may be used from, as browsers send them; null: any. */
  allowed_origins: string[] | null;
  created_at: Date;
  revoked_at: Date | null;
}

export interface NewApiKey {
  kind: KeyKind;
  name: string | null;
  allowedOrigins: string[] | null;
}

/** Live keys of a tenant in one mode: more than anyone keeps track of, too few to fill a database with. */
const MOST_LIVE_KEYS = 50;

const COLUMNS = 'id, kind, mode, name, last4, allowed_origins, created_at, revoked_at';

/**
 * Makes a key, which is shown now and never again. Throws `invalid_state` when the tenant has as many as it may have in this mode,
 * however many are made at once.
 */
export async function createApiKey(
  tx: Tx,
  actor: Actor,
  wanted: NewApiKey,
): Promise<{ row: ApiKeyRow; key: string }> {
  const { sql, now } = tx;
  const { tenantId, mode } = actor;
  const { kind, name, allowedOrigins } = wanted;
  if (kind === 'secret' && allowedOrigins) throw onlyForPublicKeys();
  const key = newKey(kind, mode);
  // Whoever else makes one waits here, so that the statement below counts what they made.
  await sql.query('select from tenants where id = $1 for no key update', [tenantId]);
  const [row] = await sql.query<ApiKeyRow>(
    `insert into api_keys (id, tenant_id, mode, kind, sha256, last4, name, allowed_origins, created_at)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9
     where (select count(*) from api_keys where tenant_id = $2 and mode = $3 and revoked_at is null) < $10
     returning ${COLUMNS}`,
    [
      newId('key', now),
      tenantId,
      mode,
      kind,
      sha256Of(key),
      key.slice(-4),
      name,
      allowedOrigins,
      now,
      MOST_LIVE_KEYS,
    ],
  );
  if (!row)
    throw new Problem(
      'invalid_state',
      `There are ${MOST_LIVE_KEYS} live keys in ${mode} mode already. Revoke one first.`,
    );
  await recordChange(tx, actor, 'api_key.created', row.id, `${kind} …${row.last4}`);
  return { row, key };
}

/** Keys of this tenant and mode, revoked ones too, newest first: those whose id sorts before `before`. */
export function listApiKeys(
  sql: Sql,
  { tenantId, mode }: Reader,
  before: string,
  limit: number,
): Promise<ApiKeyRow[]> {
  return sql.query<ApiKeyRow>(
    `select ${COLUMNS} from api_keys where tenant_id = $1 and mode = $2 and id < $3 order by id desc limit $4`,
    [tenantId, mode, before, limit],
  );
}

/** The key with this id, revoked or not, or undefined when there is none of this tenant in this mode. */
export async function findApiKey(
  sql: Sql,
  { tenantId, mode }: Reader,
  id: string,
): Promise<ApiKeyRow | undefined> {
  const [row] = await sql.query<ApiKeyRow>(
    `select ${COLUMNS} from api_keys where tenant_id = $1 and mode = $2 and id = $3`,
    [tenantId, mode, id],
  );
  return row;
}

export interface ApiKeyChanges {
  name?: string;
  /** Null lifts the restriction. */
  allowedOrigins?: string[] | null;
}

/** Changes a key's name or where it may be used from; undefined when there is no such key. Throws `invalid_state` for a revoked one. */
export async function changeApiKey(
  tx: Tx,
  actor: Actor,
  id: string,
  changes: ApiKeyChanges,
): Promise<ApiKeyRow | undefined> {
  const before = await lockApiKey(tx.sql, actor, id);
  if (!before) return undefined;
  if (before.kind === 'secret' && changes.allowedOrigins) throw onlyForPublicKeys();
  if (before.revoked_at)
    throw new Problem(
      'invalid_state',
      'This key is revoked, and nothing of it can be changed any more.',
    );
  const { name = before.name, allowedOrigins = before.allowed_origins } = changes;
  const changed = [
    ...(name === before.name ? [] : ['name']),
    ...(JSON.stringify(allowedOrigins) === JSON.stringify(before.allowed_origins)
      ? []
      : [`allowed_origins: ${said(allowedOrigins)}`]),
  ];
  if (changed.length === 0) return before;
  const [row] = await tx.sql.query<ApiKeyRow>(
    `update api_keys set name = $4, allowed_origins = $5 where tenant_id = $1 and mode = $2 and id = $3 returning ${COLUMNS}`,
    [actor.tenantId, actor.mode, id, name, allowedOrigins],
  );
  await recordChange(tx, actor, 'api_key.changed', id, changed.join('; '));
  return row;
}

/** Revokes a key, once; undefined when there is no such key. From the next statement that asks for it, it is not good any more. */
export async function revokeApiKey(
  tx: Tx,
  actor: Actor,
  id: string,
): Promise<ApiKeyRow | undefined> {
  const before = await lockApiKey(tx.sql, actor, id);
  if (!before || before.revoked_at) return before;
  const [row] = await tx.sql.query<ApiKeyRow>(
    `update api_keys set revoked_at = $4 where tenant_id = $1 and mode = $2 and id = $3 returning ${COLUMNS}`,
    [actor.tenantId, actor.mode, id, tx.now],
  );
  await recordChange(tx, actor, 'api_key.revoked', id, `${before.kind} …${before.last4}`);
  return row;
}

/** Changes of one key wait for each other here. */
async function lockApiKey(
  sql: Sql,
  { tenantId, mode }: Reader,
  id: string,
): Promise<ApiKeyRow | undefined> {
  const [row] = await sql.query<ApiKeyRow>(
    `select ${COLUMNS} from api_keys where tenant_id = $1 and mode = $2 and id = $3 for no key update`,
    [tenantId, mode, id],
  );
  return row;
}

function onlyForPublicKeys(): Problem {
  return invalid({ allowed_origins: 'is for public keys only: a secret key belongs on a server' });
}

function said(allowedOrigins: readonly string[] | null): string {
  return allowedOrigins?.join(', ') ?? 'any';
}
