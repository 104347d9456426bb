import type { Mode } from '../../shared/reader.ts';
import { sha256Of } from '../../shared/sha256.ts';
import { type Sql, statement } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import { recordAudit } from '../audit-log/record-change.ts';
import type { MemberRole } from '../roles.ts';
import { newSessionToken } from '../token/credentials.ts';

export const IDLE_MS = 2 * 3_600_000;
export const LONGEST_MS = 12 * 3_600_000;
/** Seldom, so that reading views seldom writes. */
const SEEN_EVERY_MS = 60_000;

/** `awaiting_…`: the password was right, and that alone permits nothing yet. */
export type SessionStatus = 'awaiting_code' | 'awaiting_enrolment' | 'active';

export interface Session {
  familyId: string;
  status: SessionStatus;
  mode: Mode;
  createdAt: Date;
  lastSeenAt: Date;
  signedInAt: Date | null;
  codeGivenAt: Date | null;
  memberId: string;
  email: string;
  name: string | null;
  role: MemberRole;
  hasTotp: boolean;
  tenantId: string;
  merchant: string;
  timeZone: string;
  requiresSecondFactor: boolean;
}

export interface Client {
  userAgent: string;
  network: string;
}

/** The hash in the view `credentials`. The space keeps it from being sent as a bearer token. */
export function credentialOf(token: string, mode: Mode): string {
  return sha256Of(`${token} ${mode}`);
}

/** Carried by every form, so that no other site can submit one (CSRF). */
export function formTokenOf(token: string): string {
  return sha256Of(`${token} form`);
}

export async function findSession(
  sql: Sql,
  token: string,
  now: Date,
): Promise<Session | undefined> {
  const [session] = await sql.query<Session>(
    `select s.family_id as "familyId", s.mode,
       case when s.status = 'awaiting_enrolment' and m.totp_enrolled_at is not null
         then 'awaiting_code' else s.status end as status,
       f.created_at as "createdAt",
       s.last_seen_at as "lastSeenAt", s.signed_in_at as "signedInAt",
       s.code_given_at as "codeGivenAt",
       m.id as "memberId", m.email, m.name, m.role, m.totp_enrolled_at is not null as "hasTotp",
       t.id as "tenantId", t.name as merchant, t.time_zone as "timeZone",
       t.requires_second_factor as "requiresSecondFactor"
     from dashboard_sessions s
       join token_families f on f.id = s.family_id
       join members m on m.id = f.member_id
       join tenants t on t.id = m.tenant_id
     where s.sha256 = $1 and f.revoked_at is null and f.expires_at > $2 and m.disabled_at is null`,
    [sha256Of(token), now],
  );
  return session;
}

export async function touchSession(
  sql: Sql,
  { familyId, createdAt, lastSeenAt }: Session,
  now: Date,
): Promise<void> {
  if (now.getTime() - lastSeenAt.getTime() < SEEN_EVERY_MS) return;
  await sql.query(
    `with seen as (update dashboard_sessions set last_seen_at = $2 where family_id = $1)
     update token_families set expires_at = $3 where id = $1 and revoked_at is null`,
    [familyId, now, endOf(createdAt, now)],
  );
}

export function endOf(createdAt: Date, seenAt: Date): Date {
  return new Date(Math.min(createdAt.getTime() + LONGEST_MS, seenAt.getTime() + IDLE_MS));
}

/** Gives the session a new token, and access tokens for both modes; the first time is recorded. */
export async function activateSession(
  tx: Tx,
  session: Pick<Session, 'familyId' | 'memberId' | 'tenantId' | 'createdAt' | 'signedInAt'>,
  codeGivenAt: Date | null,
): Promise<string> {
  const { sql, now } = tx;
  const { familyId, createdAt } = session;
  const token = newSessionToken();
  await renewSession(sql, {
    familyId,
    sha256: sha256Of(token),
    codeGivenAt,
    live: credentialOf(token, 'live'),
    test: credentialOf(token, 'test'),
    now,
    endsAt: new Date(createdAt.getTime() + LONGEST_MS),
  });
  if (session.signedInAt === null) await recordSignIn(tx, session);
  return token;
}

const renewSession = statement(`
  with session as (
    update dashboard_sessions set sha256 = :sha256, status = 'active',
      code_given_at = :codeGivenAt, signed_in_at = coalesce(signed_in_at, :now)
    where family_id = :familyId),
  before as (delete from user_tokens where family_id = :familyId)
  insert into user_tokens (sha256, family_id, kind, mode, created_at, expires_at)
  values (:live, :familyId, 'access', 'live', :now, :endsAt),
    (:test, :familyId, 'access', 'test', :now, :endsAt)`);

function recordSignIn(
  tx: Tx,
  { familyId, memberId, tenantId }: Pick<Session, 'familyId' | 'memberId' | 'tenantId'>,
): Promise<void> {
  return recordAudit(tx, {
    tenantId,
    mode: null,
    actor: memberId,
    action: 'member.signed_in',
    subjectId: familyId,
  });
}

export async function switchMode(sql: Sql, { familyId }: Session, mode: Mode): Promise<void> {
  await sql.query('update dashboard_sessions set mode = $2 where family_id = $1', [familyId, mode]);
}

export async function recordCode({ sql, now }: Tx, { familyId }: Session): Promise<void> {
  await sql.query('update dashboard_sessions set code_given_at = $2 where family_id = $1', [
    familyId,
    now,
  ]);
}
