import { newId } from '../../shared/ids.ts';
import type { Mode } from '../../shared/reader.ts';
import { sha256Of } from '../../shared/sha256.ts';
import type { Tx } from '../../shared/tx.ts';
import { newUserToken } from './credentials.ts';

/** What a sign-in hands out, and every refresh after it. */
export interface TokenPair {
  accessToken: string;
  refreshToken: string;
  /** For how much longer the access token is good. */
  expiresInMs: number;
}

/**
 * Short: a stolen one is of use for this long at the most. Whoever revokes does not wait for it.
 */
export const ACCESS_MS = 15 * 60_000;
/** Counted anew from each exchange: who comes back within a month stays signed in. */
const REFRESH_MS = 30 * 24 * 3_600_000;

/** Writes a new pair of tokens for a family, and the family's end with it. */
export async function issuePair(
  { sql, now }: Pick<Tx, 'sql' | 'now'>,
  familyId: string,
): Promise<TokenPair> {
  const [accessToken, refreshToken] = [newUserToken('access'), newUserToken('refresh')];
  const [accessEnds, refreshEnds] = [
    new Date(now.getTime() + ACCESS_MS),
    new Date(now.getTime() + REFRESH_MS),
  ];
  await sql.query(
    `with family as (update token_families set expires_at = $4 where id = $1)
     insert into user_tokens (sha256, family_id, kind, created_at, expires_at)
       values ($5, $1, 'access', $2, $3), ($6, $1, 'refresh', $2, $4)`,
    [familyId, now, accessEnds, refreshEnds, sha256Of(accessToken), sha256Of(refreshToken)],
  );
  return { accessToken, refreshToken, expiresInMs: ACCESS_MS };
}

/** Begins a family of tokens for a member: one sign-in, in one mode. */
export async function beginFamily(
  { sql, now }: Pick<Tx, 'sql' | 'now'>,
  memberId: string,
  mode: Mode,
): Promise<string> {
  const familyId = newId('fam', now);
  await sql.query(
    `insert into token_families (id, member_id, mode, created_at, expires_at)
     values ($1, $2, $3, $4, $4)`,
    [familyId, memberId, mode, now],
  );
  return familyId;
}

/** Signs a member out everywhere: whatever they hold is refused from the next request on. */
export async function revokeFamiliesOf(
  { sql, now }: Pick<Tx, 'sql' | 'now'>,
  memberId: string,
): Promise<void> {
  await sql.query(
    'update token_families set revoked_at = $2 where member_id = $1 and revoked_at is null',
    [memberId, now],
  );
}

/** Ends one sign-in. */
export async function revokeFamily(
  { sql, now }: Pick<Tx, 'sql' | 'now'>,
  familyId: string,
): Promise<void> {
  await sql.query(
    'update token_families set revoked_at = $2 where id = $1 and revoked_at is null',
    [familyId, now],
  );
}
