import { type NewMail, writeMail } from '../../mail/write-mail.ts';
import type { Tx } from '../../shared/tx.ts';
import { type Permission, rolesWith } from '../roles.ts';

/** Writes a mail to each member who can sign in and may do this. */
export async function mailMembers(
  tx: Tx,
  permission: Permission,
  mail: Omit<NewMail, 'memberId'>,
): Promise<void> {
  if (!tx.sendsMail) return;
  const members = await tx.sql.query<{ id: string }>(
    // In one order, so that two transactions do not deadlock.
    `select id from members where tenant_id = $1 and role = any($2)
       and password_hash is not null and disabled_at is null order by id`,
    [mail.tenantId, rolesWith(permission)],
  );
  for (const { id } of members) await writeMail(tx, { ...mail, memberId: id });
}
