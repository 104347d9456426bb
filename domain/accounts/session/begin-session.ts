import { sha256Of } from '../../shared/sha256.ts';
import { statement } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import type { MemberPassword } from '../member/member-passwords.ts';
import { newSessionToken } from '../token/credentials.ts';
import { beginFamily } from '../token/tokens.ts';
import { activateSession, type Client, endOf, type SessionStatus } from './session.ts';

/**
 * Begins a session after a right password. Undefined when the member is disabled or the password
 * changed; the lock conflicts with both, so that a later change finds this session and ends it.
 */
export async function beginSession(
  tx: Tx,
  { memberId, tenantId, passwordHash }: MemberPassword,
  { userAgent, network }: Client,
) {
  const { sql, now } = tx;
  const [member] = await sql.query<{ status: SessionStatus; has_live: boolean }>(
    `select case when m.totp_enrolled_at is not null then 'awaiting_code'
         when t.requires_second_factor then 'awaiting_enrolment' else 'active' end as status,
       exists (select from connections c where c.tenant_id = t.id and c.mode = 'live') as has_live
     from members m join tenants t on t.id = m.tenant_id
     where m.id = $1 and m.password_hash = $2 and m.disabled_at is null
     for share of m, t`,
    [memberId, passwordHash],
  );
  if (!member) return undefined;
  const familyId = await beginFamily(tx, memberId, endOf(now, now));
  const token = newSessionToken();
  const { status } = member;
  await insertSession(sql, {
    sha256: sha256Of(token),
    familyId,
    status: status === 'active' ? 'awaiting_code' : status,
    mode: member.has_live ? 'live' : 'test',
    userAgent: userAgent.slice(0, 300),
    network,
    now,
  });
  if (status !== 'active') return { token, status };
  const session = { familyId, memberId, tenantId, createdAt: now, signedInAt: null };
  return { token: await activateSession(tx, session, null), status };
}

const insertSession = statement(`
  insert into dashboard_sessions
    (sha256, family_id, status, mode, user_agent, network, last_seen_at)
  values (:sha256, :familyId, :status, :mode, :userAgent, :network, :now)`);
