import { Problem } from '../../shared/problems.ts';
import type { Sql } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import { recordAudit } from '../audit-log/record-change.ts';
import { findMember, type Manager, recordOnMember } from '../member/members.ts';
import { revokeFamily } from '../token/tokens.ts';
import type { Session } from './session.ts';

export interface SignIn {
  id: string;
  created_at: Date;
  expires_at: Date;
  user_agent: string | null;
  network: string | null;
  last_seen_at: Date | null;
}

const MOST = 100;

/** SQL: complete ones that are valid at `$2`. */
const signIns = (ofMember: string) =>
  `from token_families f left join dashboard_sessions s on s.family_id = f.id
   where f.member_id ${ofMember} and f.revoked_at is null and f.expires_at > $2
     and (s.family_id is null or s.signed_in_at is not null)`;

/** Complete sign-ins that are valid now, newest first. */
export function listSignIns(sql: Sql, memberId: string, now: Date): Promise<SignIn[]> {
  return sql.query<SignIn>(
    `select f.id, f.created_at, f.expires_at, s.user_agent, s.network, s.last_seen_at
     ${signIns('= $1')} order by f.id desc limit ${MOST}`,
    [memberId, now],
  );
}

/** How many there are, by member; none where there are none. */
export async function countSignIns(
  sql: Sql,
  memberIds: readonly string[],
  now: Date,
): Promise<Map<string, number>> {
  const rows = await sql.query<{ member_id: string; count: number }>(
    `select f.member_id, count(*)::int as count ${signIns('= any($1)')}
     group by f.member_id`,
    [memberIds, now],
  );
  return new Map(rows.map(({ member_id, count }) => [member_id, count]));
}

/** Ends a sign-in; the end of a complete one is recorded. Throws 404 when it is not theirs. */
export async function endSignIn(
  tx: Tx,
  { memberId, tenantId }: Pick<Session, 'memberId' | 'tenantId'>,
  familyId: string,
): Promise<void> {
  const [own] = await tx.sql.query<{ is_complete: boolean }>(
    `select not exists (select from dashboard_sessions s
       where s.family_id = f.id and s.signed_in_at is null) as is_complete
     from token_families f where id = $1 and member_id = $2`,
    [familyId, memberId],
  );
  if (!own) throw noSuchSession();
  await revokeFamily(tx, familyId);
  if (!own.is_complete) return;
  await recordAudit(tx, {
    tenantId,
    mode: null,
    actor: memberId,
    action: 'member.signed_out',
    subjectId: familyId,
  });
}

/** Ends a sign-in of a member of the manager's business. Throws 404 where there is none. */
export async function endSignInOf(
  tx: Tx,
  by: Manager,
  memberId: string,
  familyId: string,
): Promise<void> {
  await findMember(tx, by.tenantId, memberId);
  const ended = await tx.sql.query(
    `update token_families set revoked_at = $3
     where id = $1 and member_id = $2 and revoked_at is null returning 1`,
    [familyId, memberId, tx.now],
  );
  if (ended.length === 0) throw noSuchSession();
  await recordOnMember(tx, by, 'member.session_ended', memberId);
}

export function noSuchSession(): Problem {
  return new Problem('not_found', 'There is no such session.');
}
