import { Problem } from '../../shared/problems.ts';
import type { Tx } from '../../shared/tx.ts';
import type { MemberRole } from '../roles.ts';
import { revokeFamiliesOf } from '../token/tokens.ts';
import { voidLinks } from './member-links.ts';
import { lockMember, type Manager, type MemberRow, recordOnMember } from './members.ts';

/** What may be changed of a member; what is absent stays. */
export interface MemberChange {
  name?: string;
  role?: MemberRole;
  status?: 'active' | 'disabled';
}

/**
 * Changes a member. Whoever is disabled is signed out everywhere and their links are void; a changed role holds from the next request.
 * Throws 409 when no Owner would be left who can sign in: changes of one business wait for each other, so two Owners cannot put each
 * other out.
 */
export async function changeMember(
  tx: Tx,
  by: Manager,
  id: string,
  change: MemberChange,
): Promise<MemberRow> {
  const { sql, now } = tx;
  await sql.query('select 1 from tenants where id = $1 for no key update', [by.tenantId]);
  const member = await lockMember(sql, by.tenantId, id);
  const next = changed(member, change, now);
  if (isOwner(member) && !isOwner(next)) await requireAnotherOwner(tx, member);
  await sql.query('update members set name = $2, role = $3, disabled_at = $4 where id = $1', [
    id,
    next.name,
    next.role,
    next.disabled_at,
  ]);
  if (member.disabled_at === null && next.disabled_at !== null) {
    await voidLinks(tx, id);
    await revokeFamiliesOf(tx, id);
  }
  for (const { action, detail } of actionsOf(member, next))
    await recordOnMember(tx, by, action, id, detail);
  return next;
}

function changed(member: MemberRow, { name, role, status }: MemberChange, now: Date): MemberRow {
  const disabledAt = { active: null, disabled: member.disabled_at ?? now };
  return {
    ...member,
    name: name ?? member.name,
    role: role ?? member.role,
    disabled_at: status === undefined ? member.disabled_at : disabledAt[status],
  };
}

function isOwner({ role, disabled_at }: MemberRow): boolean {
  return role === 'owner' && disabled_at === null;
}

/** One who was only invited does not count: they may never come. */
async function requireAnotherOwner({ sql }: Tx, { tenant_id, id }: MemberRow): Promise<void> {
  const others = await sql.query(
    `select 1 from members where tenant_id = $1 and id <> $2 and role = 'owner' and disabled_at is null and password_hash is not null limit 1`,
    [tenant_id, id],
  );
  if (others.length === 0) {
    throw new Problem(
      'invalid_state',
      'This would leave the business without an Owner who can sign in. Make somebody else an Owner first.',
    );
  }
}

interface Action {
  action: string;
  detail?: string;
}

/** What is written down of a change: a line for each thing that is another now. */
function actionsOf(before: MemberRow, after: MemberRow): Action[] {
  const actions: Action[] = [];
  if (before.name !== after.name) actions.push({ action: 'member.renamed' });
  if (before.role !== after.role)
    actions.push({ action: 'member.role_changed', detail: `${before.role} → ${after.role}` });
  if (before.disabled_at === null && after.disabled_at !== null)
    actions.push({ action: 'member.disabled' });
  if (before.disabled_at !== null && after.disabled_at === null)
    actions.push({ action: 'member.enabled' });
  return actions;
}
