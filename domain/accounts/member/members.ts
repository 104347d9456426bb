import { LockMode } from '@mikro-orm/core';
import type { RowOf } from '../../shared/columns.ts';
import { isId, newId } from '../../shared/ids.ts';
import { invalid, Problem } from '../../shared/problems.ts';
import type { Entities } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import { recordAudit } from '../audit-log/record-change.ts';
import { Member } from '../entities/member.ts';
import type { MemberRole } from '../roles.ts';

export type MemberRow = RowOf<typeof Member>;

export const memberStatuses = ['invited', 'active', 'disabled'] as const;
export type MemberStatus = (typeof memberStatuses)[number];

/** `invited`: has not set a password yet. */
function memberStatusOf(member: Pick<MemberRow, 'password_hash' | 'disabled_at'>): MemberStatus {
  if (member.disabled_at !== null) return 'disabled';
  return member.password_hash === null ? 'invited' : 'active';
}

export function memberView(member: MemberRow) {
  const { id, email, name, role, created_at } = member;
  return {
    object: 'member' as const,
    id,
    email,
    name,
    role,
    status: memberStatusOf(member),
    has_second_factor: member.totp_enrolled_at !== null,
    created_at: created_at.toISOString(),
  };
}

export interface Manager {
  tenantId: string;
  memberId: string;
}

/** Members are the same in both modes. */
export function recordOnMember(
  tx: Tx,
  by: Manager,
  action: string,
  memberId: string,
  detail?: string,
): Promise<void> {
  const entry = {
    tenantId: by.tenantId,
    mode: null,
    actor: by.memberId,
    action,
    subjectId: memberId,
  };
  return recordAudit(tx, detail === undefined ? entry : { ...entry, detail });
}

export interface NewMember {
  email: string;
  name: string | null;
  role: MemberRole;
}

/** Written when the EntityManager flushes. */
export function addMember(
  { em, now }: Pick<Tx, 'em' | 'now'>,
  tenantId: string,
  { email, name, role }: NewMember,
  passwordHash: string | null,
): MemberRow {
  return em.create(Member, {
    id: newId('mem', now),
    tenant_id: tenantId,
    email,
    name,
    role,
    password_hash: passwordHash,
    totp_secret: null,
    totp_enrolled_at: null,
    totp_step: null,
    created_at: now,
    disabled_at: null,
  });
}

/** Adds a member without a password. Throws 422 where the business knows the address. */
export async function inviteMember(tx: Tx, by: Manager, newMember: NewMember): Promise<MemberRow> {
  const row = addMember(tx, by.tenantId, newMember, null);
  await tx.em.flush().catch(refuseKnownEmail);
  await recordOnMember(tx, by, 'member.invited', row.id, newMember.role);
  return row;
}

function refuseKnownEmail(error: unknown): never {
  if ((error as { constraint?: string }).constraint === 'members_email')
    throw invalid({ email: 'belongs to a member already' });
  throw error;
}

/** Throws 404. */
export function findMember({ em }: Entities, tenantId: string, id: string): Promise<MemberRow> {
  return memberOf(id, () => em.findOne(Member, { tenant_id: tenantId, id }));
}

export function lockMember({ em }: Tx, tenantId: string, id: string): Promise<MemberRow> {
  return memberOf(id, () =>
    em.findOne(Member, { tenant_id: tenantId, id }, { lockMode: LockMode.PESSIMISTIC_WRITE }),
  );
}

async function memberOf(id: string, find: () => Promise<MemberRow | null>): Promise<MemberRow> {
  const row = isId('mem', id) ? await find() : null;
  if (!row) throw new Problem('not_found', 'There is no such member in this business.');
  return row;
}

export function listMembers(
  { em }: Entities,
  tenantId: string,
  before: string,
  limit: number,
): Promise<MemberRow[]> {
  return em.find(
    Member,
    { tenant_id: tenantId, id: { $lt: before } },
    { orderBy: { id: 'desc' }, limit },
  );
}
