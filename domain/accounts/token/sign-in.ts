import type { Mode } from '../../shared/reader.ts';
import type { Sql } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import { recordAudit } from '../audit-log/record-change.ts';
import { type PasswordCost, passwordMatches, unmatchableHash } from './credentials.ts';
import { beginFamily, issuePair, type TokenPair } from './tokens.ts';

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
 * Signs a member in. Undefined when they are disabled, or their password was changed since it was
 * checked. The member's row stays locked until the sign-in is written, so that a later change finds
 * this sign-in and ends it.
 */
export async function signIn(
  tx: Tx,
  { memberId, tenantId, passwordHash }: Proven,
  mode: Mode,
): Promise<TokenPair | undefined> {
  const held = await tx.sql.query(
    // `for share` conflicts with every change.
    'select 1 from members where id = $1 and password_hash = $2 and disabled_at is null for share',
    [memberId, passwordHash],
  );
  if (held.length === 0) return undefined;
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
