import { invalid, Problem } from '../../shared/problems.ts';
import type { Mode } from '../../shared/reader.ts';
import type { Sql } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import { recordAudit } from '../audit-log/record-change.ts';
import type { MemberPassword } from '../member/member-passwords.ts';
import { acceptCode } from '../second-factor/second-factor.ts';
import { hashesOf, type PasswordCost, unmatchableHash } from '../token/credentials.ts';
import { beginFamily, issuePair, type TokenPair } from '../token/tokens.ts';

/**
 * The members whose password this is. Hashes once, also for no member, so that neither the answer
 * nor its time shows which addresses are known.
 */
export async function provePassword(
  members: readonly MemberPassword[],
  password: string,
  cost: PasswordCost,
): Promise<MemberPassword[]> {
  const hashes = members.map(({ passwordHash }) => passwordHash);
  const right = await hashesOf(password, hashes.length > 0 ? hashes : [unmatchableHash(cost)]);
  return members.filter(({ passwordHash }) => right.has(passwordHash));
}

export interface OpenBusiness {
  tenant_id: string;
  name: string;
}

export function businessesOf(sql: Sql, members: readonly Pick<MemberPassword, 'tenantId'>[]) {
  return sql.query<OpenBusiness>(
    'select id as tenant_id, name from tenants where id = any($1) order by lower(name), id',
    [members.map(({ tenantId }) => tenantId)],
  );
}

/**
 * Signs a member in. Undefined when they are disabled or the password changed since it was checked.
 * Throws 422 for a wrong or missing code, 409 when an authenticator is demanded that they lack. The
 * rows stay locked, so that a later change finds this sign-in and ends it.
 */
export async function signIn(
  tx: Tx,
  { memberId, tenantId, passwordHash }: MemberPassword,
  { mode, code }: { mode: Mode; code?: string | undefined },
): Promise<TokenPair | undefined> {
  const [member] = await tx.sql.query<{ has_totp: boolean; needs_totp: boolean }>(
    `select m.totp_enrolled_at is not null as has_totp, t.requires_second_factor as needs_totp
     from members m join tenants t on t.id = m.tenant_id
     where m.id = $1 and m.password_hash = $2 and m.disabled_at is null
     for no key update of m for share of t`,
    [memberId, passwordHash],
  );
  if (!member) return undefined;
  if (member.has_totp) {
    if (code === undefined) throw invalid({ code: 'is required: you have an authenticator' });
    await acceptCode(tx, { tenantId, memberId }, code);
  } else if (member.needs_totp) throw needsAuthenticator();
  const familyId = await beginFamily(tx, memberId);
  await recordAudit(tx, {
    tenantId,
    mode,
    actor: memberId,
    action: 'member.signed_in',
    subjectId: familyId,
  });
  return issuePair(tx, familyId, mode);
}

function needsAuthenticator(): Problem {
  return new Problem(
    'invalid_state',
    'Your business asks everybody for an authenticator: sign in to the dashboard and add one.',
  );
}
