import { writeMail } from '../../mail/write-mail.ts';
import { NIL_TENANT_ID } from '../../shared/ids.ts';
import { Problem } from '../../shared/problems.ts';
import { sha256Of } from '../../shared/sha256.ts';
import type { Sql } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import { DAY_MS, HOUR_MS } from '../../shared/units.ts';
import { MemberLink } from '../entities/member.ts';
import { newLinkToken } from '../token/credentials.ts';
import { revokeFamiliesOf } from '../token/tokens.ts';
import { mailPasswordChanged, recordPassword } from './change-password.ts';
import { lockMember, type Manager, type MemberRow, recordOnMember } from './members.ts';

const LINK_MS = DAY_MS;
/** Of links that anybody can have sent. */
const FORGOTTEN_LINK_MS = HOUR_MS;
/** No member has a longer one. */
const LONGEST_EMAIL = 254;

/**
 * Returns the token of a new link, of which only the hash is stored, and mails it to the member.
 * Earlier links become void.
 */
export async function issueLink(tx: Tx, member: MemberRow): Promise<string> {
  await voidLinks(tx, member.id);
  const kind = member.password_hash === null ? 'invitation' : 'password_link';
  return writeLink(tx, member, kind, LINK_MS);
}

/** Asks a worker to mail the links: whoever asks learns nothing from how long that takes. */
export async function askForLinks(tx: Tx, email: string): Promise<void> {
  if (email.length > LONGEST_EMAIL) return;
  await writeMail(tx, {
    ...{ tenantId: NIL_TENANT_ID, mode: null, memberId: null, subjectId: NIL_TENANT_ID },
    kind: 'forgotten_password',
    token: email,
    expiresAt: new Date(tx.now.getTime() + FORGOTTEN_LINK_MS),
  });
}

/**
 * Mails a link to each member with this address, in whatever case, one for each business. Earlier
 * links stay good, so that nobody can make another's void.
 */
export async function mailForgottenLinks(tx: Tx, email: string): Promise<void> {
  const members = await tx.sql.query<Pick<MemberRow, 'id' | 'tenant_id'>>(
    `select id, tenant_id from members where lower(email) = lower($1) and disabled_at is null
     order by id`,
    [email],
  );
  for (const member of members) await writeLink(tx, member, 'password_link', FORGOTTEN_LINK_MS);
}

async function writeLink(
  tx: Tx,
  { id: memberId, tenant_id: tenantId }: Pick<MemberRow, 'id' | 'tenant_id'>,
  kind: 'invitation' | 'password_link',
  lifeMs: number,
): Promise<string> {
  const { em, now } = tx;
  const token = newLinkToken();
  const expiresAt = new Date(now.getTime() + lifeMs);
  em.create(MemberLink, {
    sha256: sha256Of(token),
    member_id: memberId,
    created_at: now,
    expires_at: expiresAt,
    used_at: null,
  });
  const to = { tenantId, mode: null, memberId, subjectId: memberId };
  await writeMail(tx, { ...to, kind, token, expiresAt });
  return token;
}

/** Throws 404; 409 for a disabled member. */
export async function renewLink(
  tx: Tx,
  by: Manager,
  memberId: string,
): Promise<{ member: MemberRow; token: string }> {
  const member = await lockMember(tx, by.tenantId, memberId);
  if (member.disabled_at !== null)
    throw new Problem('invalid_state', 'This member is disabled. Make them active first.');
  const token = await issueLink(tx, member);
  await recordOnMember(tx, by, 'member.link_made', memberId);
  return { member, token };
}

export async function voidLinks({ em, now }: Tx, memberId: string): Promise<void> {
  await em.nativeUpdate(
    MemberLink,
    { member_id: memberId, used_at: null, expires_at: { $gt: now } },
    { expires_at: now },
  );
}

export interface OpenLink {
  member_id: string;
  email: string;
  merchant: string;
  has_password: boolean;
}

/** Throws 404 when there is no such link, 410 when it was used, is void or expired. */
export async function openLink(sql: Sql, token: string, now: Date): Promise<OpenLink> {
  const link = await findLink(sql, token, now);
  if (!link) throw new Problem('not_found', 'There is no such link.');
  if (!link.open) throw linkIsOver();
  return link;
}

export async function isOpenLink(sql: Sql, token: string, now: Date): Promise<boolean> {
  return (await findLink(sql, token, now))?.open ?? false;
}

async function findLink(sql: Sql, token: string, now: Date) {
  const [link] = await sql.query<OpenLink & { open: boolean }>(
    `select m.id as member_id, m.email, t.name as merchant, m.password_hash is not null as has_password,
       l.used_at is null and l.expires_at > $2 and m.disabled_at is null as open
     from member_links l join members m on m.id = l.member_id join tenants t on t.id = m.tenant_id
     where l.sha256 = $1`,
    [sha256Of(token), now],
  );
  return link;
}

/**
 * Sets a password with a link, once, and ends every session of the member. Throws 410 when the link
 * is over. Locks the member before the link, as creating a link does.
 */
export async function setPassword(
  tx: Tx,
  token: string,
  { member_id, has_password }: OpenLink,
  passwordHash: string,
): Promise<void> {
  const { sql, now } = tx;
  const [member] = await sql.query<{ tenant_id: string }>(
    // Whoever knew the old password may have seen a secret that was prepared and never confirmed.
    `update members set password_hash = $2,
       totp_secret = case when totp_enrolled_at is not null then totp_secret end
     where id = $1 and disabled_at is null returning tenant_id`,
    [member_id, passwordHash],
  );
  const used = await sql.query(
    `update member_links set used_at = $2 where sha256 = $1 and used_at is null and expires_at > $2
     returning 1`,
    [sha256Of(token), now],
  );
  if (!member || used.length === 0) throw linkIsOver();
  await voidLinks(tx, member_id);
  await revokeFamiliesOf(tx, member_id);
  const changed = { tenantId: member.tenant_id, memberId: member_id };
  await recordPassword(tx, changed);
  if (has_password) await mailPasswordChanged(tx, changed);
}

function linkIsOver(): Problem {
  return new Problem('invalid_state', 'This link was used, or it is too old.', { status: 410 });
}
