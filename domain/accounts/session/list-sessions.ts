import { Problem } from '../../shared/problems.ts';
import type { Sql } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import { recordAudit } from '../audit-log/record-change.ts';
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

/** Complete sign-ins that are valid now, newest first. */
export function listSignIns(sql: Sql, memberId: string, now: Date): Promise<SignIn[]> {
  return sql.query<SignIn>(
    `select f.id, f.created_at, f.expires_at, s.user_agent, s.network, s.last_seen_at
     from token_families f left join dashboard_sessions s on s.family_id = f.id
     where f.member_id = $1 and f.revoked_at is null and f.expires_at > $2
       and (s.family_id is null or s.signed_in_at is not null)
     order by f.id desc limit ${MOST}`,
    [memberId, now],
  );
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

export function noSuchSession(): Problem {
  return new Problem('not_found', 'There is no such session.');
}
