import type { Sql } from '../shared/sql.ts';
import type { MailRow } from './row.ts';

export type Invitation = Pick<MailRow, 'status' | 'finished_at'> & {
  /** Its link works no more. */
  is_over: boolean;
};

/** The newest of each member, by member; none where none was mailed in the last 30 days. */
export async function findInvitations(
  sql: Sql,
  memberIds: readonly string[],
  now: Date,
): Promise<Map<string, Invitation>> {
  const rows = await sql.query<Invitation & { member_id: string }>(
    `select newest.* from unnest($1::text[]) as member (id), lateral (
       select member_id, status, finished_at, expires_at <= $2 as is_over from mails
       where member_id = member.id and kind = 'invitation' order by id desc limit 1) newest`,
    [memberIds, now],
  );
  return new Map(rows.map((row) => [row.member_id, row]));
}
