import type { Actor } from '../../../domain/accounts/audit-log/record-change.ts';
import {
  findConnection,
  openCredentials,
  type StoredConnection,
} from '../../../domain/accounts/connection/connection.ts';
import { Connection } from '../../../domain/accounts/entities/connection.ts';
import { Member } from '../../../domain/accounts/entities/member.ts';
import { inviteMember } from '../../../domain/accounts/member/members.ts';
import type { MemberRole } from '../../../domain/accounts/roles.ts';
import type { Slot } from '../../../domain/shared/slot.ts';
import { findAccount } from '../../sandbox/accounts.ts';
import type { Account, ProviderName } from '../../sandbox/records.ts';
import type { Past } from './past.ts';

/** The past of the demo tenant's test mode: who works there, and where it collects. */
export type Story = Awaited<ReturnType<typeof openStory>>;

/** A connection, with the account at the sandbox behind it. */
export type SlotAccount = { connection: StoredConnection; account: Account };

/** A moment so many days before today, at an hour in Lagos. */
export type At = (daysAgo: number, hour: number) => Date;

export type DemoTenant = { tenant_id: string; secret_key_test: string };

/** Finds the tenant's Owner and accounts, and adds two colleagues, who ask for refunds. */
export async function openStory(past: Past, tenant: DemoTenant) {
  const { tenant_id: tenantId, secret_key_test: secretKey } = tenant;
  const { context, sandbox, tx } = past;
  const accounts = {} as Record<Slot, SlotAccount>;
  const mine = { tenant_id: tenantId, mode: 'test', sandbox: true } as const;
  for (const { id } of await tx(({ em }) => em.find(Connection, mine))) {
    const connection = (await findConnection(context.db, id))!;
    const { secret_key: key } = openCredentials(context.vault, connection);
    const account = findAccount(sandbox.store, connection.adapter as ProviderName, key!)!;
    accounts[connection.slot] = { connection, account };
  }
  const actor = (id: string): Actor => ({ tenantId, mode: 'test', subjectId: id, memberId: id });
  const people = await tx(async (tx) => {
    const owner = await tx.em.findOneOrFail(Member, { tenant_id: tenantId, role: 'owner' });
    const invite = async (name: string, role: MemberRole) => {
      const email = owner.email.replace('owner', name.split(' ')[0]!.toLowerCase());
      const by = { tenantId, memberId: owner.id };
      return actor((await inviteMember(tx, by, { email, name, role })).id);
    };
    const developer = await invite('Tunde Bakare', 'developer');
    return { owner: actor(owner.id), developer, support: await invite('Ngozi Eze', 'support') };
  });
  return { ...past, ...people, tenantId, secretKey, accounts };
}
