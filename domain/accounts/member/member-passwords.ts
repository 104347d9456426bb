import type { Sql } from '../../shared/sql.ts';
import { hashPassword, type PasswordCost } from '../token/credentials.ts';

/** A member who has a password. The sign-in checks whether it still is theirs. */
export interface MemberPassword {
  memberId: string;
  tenantId: string;
  passwordHash: string;
}

/**
 * The members with this e-mail address, in whatever case, who can sign in: one for each business
 * that a person belongs to, each with a password of its own.
 */
export function membersWith(sql: Sql, email: string): Promise<MemberPassword[]> {
  return sql.query<MemberPassword>(`${MEMBERS} and lower(email) = lower($1) order by id`, [email]);
}

/** Those of the members with these ids who can sign in. */
export function membersById(sql: Sql, ids: readonly string[]): Promise<MemberPassword[]> {
  return sql.query<MemberPassword>(`${MEMBERS} and id = any($1) order by id`, [ids]);
}

const MEMBERS = `
  select id as "memberId", tenant_id as "tenantId", password_hash as "passwordHash"
  from members where password_hash is not null and disabled_at is null`;

/**
 * Hashes a password of the member with this e-mail address. Where the person belongs to other
 * businesses, the salt is the one they have there, so that a sign-in takes one hash however many
 * businesses there are, and its time does not show how many.
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
