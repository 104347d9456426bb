import type { Sql } from '../shared/sql.ts';
import type { Tx } from '../shared/tx.ts';
import { DAY_MS } from '../shared/units.ts';
import type { MailRow } from './row.ts';
import { writeMail } from './write-mail.ts';

export const mailEnds = ['sent', 'refused', 'exhausted', 'cancelled'] as const;
export type MailEnd = (typeof mailEnds)[number];

export type ClaimedMail = Pick<MailRow, 'id' | 'tries'>;

/**
 * Records how a mail ended. One that was sent counts, though another worker has claimed it since;
 * any other end does not.
 */
export async function finishMail(
  { sql, now }: Pick<Tx, 'sql' | 'now'>,
  { id, tries }: ClaimedMail,
  status: MailEnd,
): Promise<void> {
  await sql.query(
    `update mails set status = $3, due_at = null, token = null, finished_at = $4, failures = 0
     where id = $1 and (tries = $2 or $3 = 'sent') and status in ('pending', 'sending')`,
    [id, tries, status, now],
  );
}

/** Locks a claimed mail. False: it was claimed again since. */
export async function lockMail(sql: Sql, { id, tries }: ClaimedMail): Promise<boolean> {
  const [row] = await sql.query(
    `select 1 from mails where id = $1 and tries = $2 and status in ('pending', 'sending')
     for update`,
    [id, tries],
  );
  return row !== undefined;
}

/** What happens from now on is told by the next notice, a day later. The notice must be locked. */
export async function beginNotice(tx: Tx, notice: MailRow): Promise<void> {
  if (notice.status === 'sending') return;
  const {
    id,
    tenant_id: tenantId,
    mode,
    kind,
    member_id: memberId,
    subject_id: subjectId,
  } = notice;
  const dueAt = new Date(tx.now.getTime() + DAY_MS);
  await tx.sql.query(`update mails set status = 'sending', expires_at = $2 where id = $1`, [
    id,
    dueAt,
  ]);
  await writeMail(tx, { tenantId, mode, kind, memberId, subjectId, dueAt });
}
