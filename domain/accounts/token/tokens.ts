import { newId } from '../../shared/ids.ts';
import type { Mode } from '../../shared/reader.ts';
import { sha256Of } from '../../shared/sha256.ts';
import { statement } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import { DAY_MS } from '../../shared/units.ts';
import { newUserToken } from './credentials.ts';

/** The tokens that a sign-in, and every refresh after it, returns. */
export interface TokenPair {
  accessToken: string;
  refreshToken: string;
  /** How long the access token is still valid. */
  expiresInMs: number;
}

/** Short: a stolen access token works for this long at most. Revoking one takes effect at once. */
export const ACCESS_MS = 15 * 60_000;
/** Counted from each exchange: a member who returns within 30 days stays signed in. */
const REFRESH_MS = 30 * DAY_MS;

/** Inserts a new pair of tokens for a family, in one mode, and extends the family's expiry. */
export async function issuePair(
  { sql, now }: Pick<Tx, 'sql' | 'now'>,
  familyId: string,
  mode: Mode,
): Promise<TokenPair> {
  const [accessToken, refreshToken] = [newUserToken('access'), newUserToken('refresh')];
  await insertPair(sql, {
    familyId,
    mode,
    access: sha256Of(accessToken),
    refresh: sha256Of(refreshToken),
    now,
    accessEnds: new Date(now.getTime() + ACCESS_MS),
    refreshEnds: new Date(now.getTime() + REFRESH_MS),
  });
  return { accessToken, refreshToken, expiresInMs: ACCESS_MS };
}

const insertPair = statement(`
  with family as (update token_families set expires_at = :refreshEnds where id = :familyId)
  insert into user_tokens (sha256, family_id, kind, mode, created_at, expires_at)
  values (:access, :familyId, 'access', :mode, :now, :accessEnds),
    (:refresh, :familyId, 'refresh', :mode, :now, :refreshEnds)`);

/** Inserts a token family: one sign-in of a member. */
export async function beginFamily(
  { sql, now }: Pick<Tx, 'sql' | 'now'>,
  memberId: string,
  expiresAt: Date = now,
): Promise<string> {
  const familyId = newId('fam', now);
  await sql.query(
    'insert into token_families (id, member_id, created_at, expires_at) values ($1, $2, $3, $4)',
    [familyId, memberId, now, expiresAt],
  );
  return familyId;
}

/** Signs a member out everywhere: their tokens are refused from the next request on. */
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
