import type { Sql } from '../../shared/sql.ts';
import { hashPassword, type PasswordCost } from '../token/credentials.ts';

export interface MemberPassword {
  memberId: string;
  tenantId: string;
  passwordHash: string;
}

/** Members with this address, in whatever case, who can sign in: one for each business. */
export function membersWith(sql: Sql, email: string): Promise<MemberPassword[]> {
  return sql.query<MemberPassword>(`${MEMBERS} and lower(email) = lower($1) order by id`, [email]);
}

export function membersById(sql: Sql, ids: readonly string[]): Promise<MemberPassword[]> {
  return sql.query<MemberPassword>(`${MEMBERS} and id = any($1) order by id`, [ids]);
}

const MEMBERS = `
  select id as "memberId", tenant_id as "tenantId", password_hash as "passwordHash"
  from members where password_hash is not null and disabled_at is null`;

/**
 * Hashes a password under the salt that the person has in other businesses, so that a sign-in takes
 * one hash and its time does not show how many there are.
 */
export async function newPasswordHash(
  sql: Sql,
  email: string,
  password: string,
  cost?: PasswordCost,
): Promise<string> {
  const [other] = await membersWith(sql, email);
  return hashPassword(password, cost, other?.passwordHash);
}
