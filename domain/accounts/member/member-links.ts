import { Problem } from '../../shared/problems.ts';
import { sha256Of } from '../../shared/sha256.ts';
import type { Sql } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import { DAY_MS } from '../../shared/units.ts';
import { MemberLink } from '../entities/member.ts';
import { newLinkToken } from '../token/credentials.ts';
import { revokeFamiliesOf } from '../token/tokens.ts';
import { lockMember, type Manager, type MemberRow, recordOnMember } from './members.ts';

const LINK_MS = DAY_MS;

/** Returns the token of a new link, of which only the hash is stored. Earlier links become void. */
export async function issueLink(tx: Tx, memberId: string): Promise<string> {
  const { em, now } = tx;
  await voidLinks(tx, memberId);
  const token = newLinkToken();
  em.create(MemberLink, {
    sha256: sha256Of(token),
    member_id: memberId,
    created_at: now,
    expires_at: new Date(now.getTime() + LINK_MS),
    used_at: null,
  });
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
  const token = await issueLink(tx, memberId);
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
}

/** Throws 404 when there is no such link, 410 when it was used, is void or expired. */
export async function openLink(sql: Sql, token: string, now: Date): Promise<OpenLink> {
  const [link] = await sql.query<OpenLink & { open: boolean }>(
    `select m.id as member_id, m.email, t.name as merchant,
       l.used_at is null and l.expires_at > $2 and m.disabled_at is null as open
     from member_links l join members m on m.id = l.member_id join tenants t on t.id = m.tenant_id
     where l.sha256 = $1`,
    [sha256Of(token), now],
  );
  if (!link) throw new Problem('not_found', 'There is no such link.');
  if (!link.open) throw linkIsOver();
  return link;
}

/**
 * Sets a password with a link, once, and ends every session of the member. Throws 410 when the link
 * is over. Locks the member before the link, as creating a link does.
 */
export async function setPassword(
  tx: Tx,
  token: string,
  { member_id }: OpenLink,
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
  await recordOnMember(
    tx,
    { tenantId: member.tenant_id, memberId: member_id },
    'member.password_set',
    member_id,
  );
}

function linkIsOver(): Problem {
  return new Problem('invalid_state', 'This link was used, or it is too old.', { status: 410 });
}
