import { writeMail } from '../../mail/write-mail.ts';
import { Problem } from '../../shared/problems.ts';
import type { Tx } from '../../shared/tx.ts';
import { revokeOtherFamilies } from '../token/tokens.ts';
import type { MemberPassword } from './member-passwords.ts';
import { type Manager, recordOnMember } from './members.ts';

/** Ends every other session. Throws 409 where the password is another since `member` was read. */
export async function changePassword(
  tx: Tx,
  { memberId, tenantId, passwordHash }: MemberPassword,
  newHash: string,
  keptFamilyId: string,
): Promise<void> {
  const changed = await tx.sql.query(
    'update members set password_hash = $3 where id = $1 and password_hash = $2 returning 1',
    [memberId, passwordHash, newHash],
  );
  if (changed.length === 0)
    throw new Problem('invalid_state', 'Your password was changed a moment ago.');
  await revokeOtherFamilies(tx, memberId, keptFamilyId);
  await recordPassword(tx, { memberId, tenantId });
  await mailPasswordChanged(tx, { memberId, tenantId });
}

export function recordPassword(tx: Tx, member: Manager): Promise<void> {
  return recordOnMember(tx, member, 'member.password_set', member.memberId);
}

/** So that whose password it is learns of it, whoever changed it. */
export function mailPasswordChanged(tx: Tx, { tenantId, memberId }: Manager): Promise<void> {
  const to = { tenantId, mode: null, memberId, subjectId: memberId };
  return writeMail(tx, { ...to, kind: 'password_changed' });
}
