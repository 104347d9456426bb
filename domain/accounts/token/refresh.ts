import type { RowOf } from '../../shared/columns.ts';
import type { Mode } from '../../shared/reader.ts';
import { sha256Of } from '../../shared/sha256.ts';
import type { Sql } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import type { SealedFor } from '../../shared/vault.ts';
import { recordAudit } from '../audit-log/record-change.ts';
import type { TokenFamily } from '../entities/token.ts';
import { ACCESS_MS, issuePair, revokeFamily, type TokenPair } from './tokens.ts';

export interface RefreshToken {
  expiresAt: Date;
  usedAt: Date | null;
  successorUsedAt: Date | null;
  /** Signed out, or the member is disabled. */
  isOver: boolean;
}

const REPEAT_MS = 30_000;

/**
 * `repeat`: its client did not get the answer, and gets the same pair. `stolen`: it was used again
 * later, so two clients have it. `refuse`: it has expired or its sign-in has ended.
 */
export function decideRefresh(
  token: RefreshToken,
  now: Date,
): 'exchange' | 'repeat' | 'stolen' | 'refuse' {
  if (token.isOver || token.expiresAt <= now) return 'refuse';
  if (token.usedAt === null) return 'exchange';
  const isFresh = now.getTime() - token.usedAt.getTime() <= REPEAT_MS;
  return isFresh && token.successorUsedAt === null ? 'repeat' : 'stolen';
}

/**
 * Exchanges a refresh token. Concurrent requests get the same pair; a late second use ends the
 * whole sign-in. Undefined: refused; the caller commits all the same.
 */
export async function refresh(tx: Tx, refreshToken: string): Promise<TokenPair | undefined> {
  const sha256 = sha256Of(refreshToken);
  const stored = (await lockFamily(tx, sha256)) && (await read(tx, sha256));
  if (!stored) return undefined;
  switch (decideRefresh(stored, tx.now)) {
    case 'exchange':
      return exchange(tx, stored);
    case 'repeat':
      return repeat(tx, stored);
    case 'stolen':
      await revokeFamily(tx, stored.familyId);
      await recordAudit(tx, {
        tenantId: stored.tenantId,
        mode: stored.mode,
        actor: 'system',
        action: 'member.signed_out',
        subjectId: stored.familyId,
        detail: 'A refresh token was used a second time: somebody may have stolen it.',
      });
      return undefined;
    case 'refuse':
      return undefined;
  }
}

interface StoredToken extends RefreshToken {
  sha256: string;
  familyId: string;
  mode: Mode;
  tenantId: string;
  exchangedFor: string | null;
}

export async function familyOf(sql: Sql, refreshToken: string): Promise<string | undefined> {
  const [token] = await sql.query<{ family_id: string }>(
    `select family_id from user_tokens where sha256 = $1 and kind = 'refresh'`,
    [sha256Of(refreshToken)],
  );
  return token?.family_id;
}

/** The token is read after this, by a statement that sees the changes before. */
async function lockFamily({ sql }: Tx, sha256: string): Promise<boolean> {
  const locked = await sql.query(
    `select 1 from token_families
     where id = (select family_id from user_tokens where sha256 = $1 and kind = 'refresh')
     for no key update`,
    [sha256],
  );
  return locked.length > 0;
}

async function read({ sql }: Tx, sha256: string): Promise<StoredToken | undefined> {
  const [row] = await sql.query<StoredToken>(
    `select t.sha256, t.family_id as "familyId", t.mode, m.tenant_id as "tenantId",
       t.exchanged_for as "exchangedFor", t.expires_at as "expiresAt", t.used_at as "usedAt",
       successor.used_at as "successorUsedAt",
       f.revoked_at is not null or m.disabled_at is not null as "isOver"
     from user_tokens t join token_families f on f.id = t.family_id
       join members m on m.id = f.member_id
     left join user_tokens successor on successor.sha256 = t.successor_sha256
     where t.sha256 = $1`,
    [sha256],
  );
  return row;
}

/** Stores the pair sealed on its token, and deletes the pair before, which the client has. */
async function exchange(tx: Tx, token: StoredToken): Promise<TokenPair> {
  const { sql, vault, now } = tx;
  await sql.query(
    `update user_tokens set exchanged_for = null where family_id = $1
     and exchanged_for is not null`,
    [token.familyId],
  );
  const pair = await issuePair(tx, token.familyId, token.mode);
  await sql.query(
    `update user_tokens set used_at = $2, successor_sha256 = $3, exchanged_for = $4
     where sha256 = $1`,
    [
      token.sha256,
      now,
      sha256Of(pair.refreshToken),
      vault.seal(`${pair.accessToken} ${pair.refreshToken}`, ownerOf(token)),
    ],
  );
  return pair;
}

/** No repeat is answered by then, whatever the clocks say. */
const ERASED_AFTER_MS = 2 * REPEAT_MS;

export async function eraseExchangedPairs({ sql, now }: Pick<Tx, 'sql' | 'now'>, limit: number) {
  const erased = await sql.query(
    `update user_tokens set exchanged_for = null where sha256 = any(array(
       select sha256 from user_tokens where exchanged_for is not null and used_at < $1
       order by used_at limit $2))
     returning 1`,
    [new Date(now.getTime() - ERASED_AFTER_MS), limit],
  );
  return erased.length;
}

function repeat({ vault, now }: Tx, token: StoredToken): TokenPair {
  const [accessToken = '', refreshToken = ''] = vault
    .open(token.exchangedFor!, ownerOf(token))
    .split(' ');
  // A request that waited for the first exchange read the clock before it.
  const sinceMs = Math.max(0, now.getTime() - token.usedAt!.getTime());
  return { accessToken, refreshToken, expiresInMs: ACCESS_MS - sinceMs };
}

function ownerOf({ sha256, tenantId, mode }: StoredToken): SealedFor {
  return { table: 'user_tokens', row: sha256, tenant: tenantId, mode };
}

/** Ends the sign-in of this token, however old. False: unknown. */
export async function signOut(tx: Tx, refreshToken: string): Promise<boolean> {
  const [family] = await tx.sql.query<
    Pick<RowOf<typeof TokenFamily>, 'id' | 'member_id'> & {
      mode: Mode;
      tenant_id: string;
      over: boolean;
    }
  >(
    `select f.id, t.mode, f.member_id, m.tenant_id, f.revoked_at is not null as over
     from user_tokens t
       join token_families f on f.id = t.family_id
       join members m on m.id = f.member_id
     where t.sha256 = $1 and t.kind = 'refresh' for no key update of f`,
    [sha256Of(refreshToken)],
  );
  if (!family) return false;
  if (family.over) return true;
  const { id, mode, member_id: actor, tenant_id: tenantId } = family;
  await revokeFamily(tx, id);
  await recordAudit(tx, { tenantId, mode, actor, action: 'member.signed_out', subjectId: id });
  return true;
}
