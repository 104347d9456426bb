import { Problem } from '../../shared/problems.ts';
import type { Tx } from '../../shared/tx.ts';
import { Member } from '../entities/member.ts';
import { lockTenant } from '../lock-tenant.ts';
import type { MemberRole } from '../roles.ts';
import { revokeFamiliesOf } from '../token/tokens.ts';
import { voidLinks } from './member-links.ts';
import { lockMember, type Manager, type MemberRow, recordOnMember } from './members.ts';

export interface MemberChange {
  name?: string;
  role?: MemberRole;
  status?: 'active' | 'disabled';
}

/**
 * A disabled member is signed out everywhere and their links are void; a changed role holds from
 * the next request. Throws 409 when no Owner would be left who can sign in, also under races.
 */
export async function changeMember(tx: Tx, by: Manager, id: string, change: MemberChange) {
  await lockTenant(tx, by.tenantId);
  const member = await lockMember(tx, by.tenantId, id);
  const { name, role, disabled_at } = member;
  const before = { name, role, disabled_at };
  const after = changed(before, change, tx.now);
  if (isOwner(before) && !isOwner(after)) await requireAnotherOwner(tx, member);
  Object.assign(member, after);
  if (before.disabled_at === null && after.disabled_at !== null) {
    await voidLinks(tx, id);
    await revokeFamiliesOf(tx, id);
  }
  for (const { action, detail } of actionsOf(before, after))
    await recordOnMember(tx, by, action, id, detail);
  return member;
}

type Changeable = Pick<MemberRow, 'name' | 'role' | 'disabled_at'>;

function changed(before: Changeable, { name, role, status }: MemberChange, now: Date): Changeable {
  const disabledAt = { active: null, disabled: before.disabled_at ?? now };
  return {
    name: name ?? before.name,
    role: role ?? before.role,
    disabled_at: status === undefined ? before.disabled_at : disabledAt[status],
  };
}

function isOwner({ role, disabled_at }: Changeable): boolean {
  return role === 'owner' && disabled_at === null;
}

/** An invited Owner does not count: they may never set a password. */
async function requireAnotherOwner({ em }: Tx, { tenant_id, id }: MemberRow): Promise<void> {
  const others = await em.count(Member, {
    tenant_id,
    id: { $ne: id },
    role: 'owner',
    disabled_at: null,
    password_hash: { $ne: null },
  });
  if (others === 0) {
    throw new Problem(
      'invalid_state',
      'This would leave the business without an Owner who can sign in. ' +
        'Make somebody else an Owner first.',
    );
  }
}

interface Action {
  action: string;
  detail?: string;
}

function actionsOf(before: Changeable, after: Changeable): Action[] {
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
