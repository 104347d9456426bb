import { newId } from '../../shared/ids.ts';
import type { Mode } from '../../shared/reader.ts';
import { sha256Of } from '../../shared/sha256.ts';
import { statement } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import { DAY_MS } from '../../shared/units.ts';
import { newUserToken } from './credentials.ts';

export interface TokenPair {
  accessToken: string;
  refreshToken: string;
  expiresInMs: number;
}

/** A stolen access token works for this long at most. */
export const ACCESS_MS = 15 * 60_000;
const REFRESH_MS = 30 * DAY_MS;

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

export async function revokeFamiliesOf({ sql, now }: Pick<Tx, 'sql' | 'now'>, memberId: string) {
  await sql.query(
    'update token_families set revoked_at = $2 where member_id = $1 and revoked_at is null',
    [memberId, now],
  );
}

export async function revokeOtherFamilies(
  { sql, now }: Pick<Tx, 'sql' | 'now'>,
  memberId: string,
  keptFamilyId: string,
) {
  await sql.query(
    `update token_families set revoked_at = $2
     where member_id = $1 and id <> $3 and revoked_at is null`,
    [memberId, now, keptFamilyId],
  );
}

export async function revokeFamily({ sql, now }: Pick<Tx, 'sql' | 'now'>, familyId: string) {
  await sql.query(
    'update token_families set revoked_at = $2 where id = $1 and revoked_at is null',
    [familyId, now],
  );
}
