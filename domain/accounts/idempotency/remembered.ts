import canonicalize from 'canonicalize';
import { Problem } from '../../shared/problems.ts';
import { sha256Of } from '../../shared/sha256.ts';
import { statement } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import type { SealedFor } from '../../shared/vault.ts';

/** SHA-256 (hex) of the canonical JSON (RFC 8785). */
export function hashBody(body: unknown): string {
  return sha256Of(canonicalize(body) ?? 'null');
}

/** SQL: the answer shows a secret, and is too old at `now` to be replayed. */
const isOver = (now: string) => `(sealed and created_at < ${now}::timestamptz - interval '1 day')`;

export interface RememberedAnswer {
  status: number;
  answer: string;
}

export interface RememberedKey {
  tenantId: string;
  mode: string;
  scope: string;
  key: string;
  bodySha256: string;
}

/**
 * The answer remembered under a key, if any. Throws `idempotency_conflict` when the key was used
 * with another body, and where its answer showed a secret more than a day ago.
 */
export async function recall(
  { sql, vault, now }: Pick<Tx, 'sql' | 'vault' | 'now'>,
  remembered: RememberedKey,
): Promise<RememberedAnswer | undefined> {
  const { tenantId, mode, scope, key, bodySha256 } = remembered;
  const [row] = await sql.query<{
    status: number;
    answer: string | null;
    body_sha256: string;
    sealed: boolean;
  }>(
    `select status, case when ${isOver('$5')} then null else answer end as answer, body_sha256,
       sealed
     from idempotency_keys where tenant_id = $1 and mode = $2 and scope = $3 and key = $4`,
    [tenantId, mode, scope, key, now],
  );
  if (!row) return undefined;
  if (row.body_sha256 !== bodySha256) {
    throw new Problem(
      'idempotency_conflict',
      'This Idempotency-Key was used before with a different request. ' +
        'Send the first request again, or a new key.',
    );
  }
  if (row.answer === null)
    throw new Problem(
      'idempotency_conflict',
      'This Idempotency-Key was used more than a day ago, and its answer showed a secret, ' +
        'which is not kept any longer. Look at what was made then, or send a new key.',
    );
  return {
    status: row.status,
    answer: row.sealed ? vault.open(row.answer, ownerOf(remembered)) : row.answer,
  };
}

/** Claims a key, after any concurrent request with it. False when it is used. */
export async function claimKey({ sql, now }: Tx, remembered: RememberedKey, sealed: boolean) {
  return (await insertKey(sql, { ...remembered, sealed, now })).length > 0;
}

const insertKey = statement(`
  insert into idempotency_keys (tenant_id, mode, scope, key, body_sha256, status, answer, sealed,
    created_at)
  values (:tenantId, :mode, :scope, :key, :bodySha256, 0, '', :sealed, :now)
  on conflict do nothing returning 1`);

/** SQL: claims the keys that `source` selects, with their answers, and returns those it claimed. */
export const claimKeysOf = (source: string) => `
  insert into idempotency_keys (tenant_id, mode, scope, key, body_sha256, status, answer,
    created_at)
  ${source}
  on conflict do nothing returning tenant_id, scope, key`;

export async function remember(
  { sql, vault }: Tx,
  remembered: RememberedKey,
  first: RememberedAnswer,
  sealed: boolean,
): Promise<void> {
  const { tenantId, mode, scope, key } = remembered;
  const answer = sealed ? vault.seal(first.answer, ownerOf(remembered)) : first.answer;
  await sql.query(
    `update idempotency_keys set status = $5, answer = $6
     where tenant_id = $1 and mode = $2 and scope = $3 and key = $4`,
    [tenantId, mode, scope, key, first.status, answer],
  );
}

/** Erases at most `limit` answers whose secret's day is over. Keys stay used. */
export async function eraseSealedAnswers({ sql, now }: Pick<Tx, 'sql' | 'now'>, limit: number) {
  const erased = await sql.query(
    `update idempotency_keys set answer = null, sealed = false where ctid = any(array(
       select ctid from idempotency_keys where ${isOver('$1')}
       order by created_at limit $2))
     returning 1`,
    [now, limit],
  );
  return erased.length;
}

function ownerOf({ tenantId, mode, scope, key }: RememberedKey): SealedFor {
  return { table: 'idempotency_keys', row: `${scope} ${key}`, tenant: tenantId, mode };
}
