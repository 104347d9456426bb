import { invalid, Problem } from '../../shared/problems.ts';
import type { Mode } from '../../shared/reader.ts';
import type { Sql } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import { recordAudit } from '../audit-log/record-change.ts';
import { acceptCode } from '../second-factor/second-factor.ts';
import { type PasswordCost, passwordMatches, unmatchableHash } from '../token/credentials.ts';
import { beginFamily, issuePair, type TokenPair } from '../token/tokens.ts';

/** A member whose password was correct. `signIn` checks whether they may sign in. */
export interface Proven {
  memberId: string;
  tenantId: string;
  passwordHash: string;
}

/**
 * Finds the member with this e-mail address, in whatever case, and this password. Always hashes
 * once, so that neither the answer nor its time shows which addresses are known. `cost` is the cost
 * of new hashes.
 */
export async function provePassword(
  sql: Sql,
  { email, password }: { email: string; password: string },
  cost: PasswordCost,
): Promise<Proven | undefined> {
  const [member] = await sql.query<{ id: string; tenant_id: string; password_hash: string | null }>(
    'select id, tenant_id, password_hash from members where lower(email) = lower($1)',
    [email],
  );
  const hash = member?.password_hash ?? unmatchableHash(cost);
  const isRight = await passwordMatches(password, hash);
  if (!member || !isRight) return undefined;
  return { memberId: member.id, tenantId: member.tenant_id, passwordHash: hash };
}

/**
 * Signs a member in, who has to send a code where they have an authenticator. Undefined when they
 * are disabled, or their password was changed since it was checked. Throws 422 when the code is
 * wrong or missing, 409 when the business demands an authenticator that they do not have.
 *
 * The rows stay locked until the sign-in is written, so that a later change finds this sign-in and
 * ends it.
 */
export async function signIn(
  tx: Tx,
  { memberId, tenantId, passwordHash }: Proven,
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
