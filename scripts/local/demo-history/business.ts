import type { Actor } from '../../../domain/accounts/audit-log/record-change.ts';
import { findConnection, openCredentials } from '../../../domain/accounts/connection/connection.ts';
import { Connection } from '../../../domain/accounts/entities/connection.ts';
import { Member } from '../../../domain/accounts/entities/member.ts';
import { inviteMember } from '../../../domain/accounts/member/members.ts';
import type { Slot } from '../../../domain/shared/slot.ts';
import { findAccount } from '../../sandbox/accounts.ts';
import type { ProviderName } from '../../sandbox/records.ts';
import type { Past } from './past.ts';

/** The demo tenant's test mode: who works there, and where it collects. */
export interface Business {
  tenantId: string;
  secretKey: string;
  owner: Actor;
  developer: Actor;
  support: Actor;
  accounts: Record<Slot, SlotAccount>;
}

/** A connection, with the account at the sandbox behind it. */
export type SlotAccount = Awaited<ReturnType<typeof accountBehind>>;

/** Finds the tenant's Owner and accounts, and adds two colleagues. */
export async function openBusiness(
  past: Past,
  {
    tenant_id: tenantId,
    secret_key_test: secretKey,
  }: { tenant_id: string; secret_key_test: string },
): Promise<Business> {
  const { owner, developer, support } = await addColleagues(past, tenantId);
  const actor = (memberId: string): Actor => ({
    ...{ tenantId, mode: 'test', subjectId: memberId, memberId },
  });
  const connections = await past.tx(({ em }) =>
    em.find(Connection, { tenant_id: tenantId, mode: 'test', sandbox: true }),
  );
  const accounts: SlotAccount[] = [];
  for (const { id } of connections) accounts.push(await accountBehind(past, id));
  return {
    ...{ tenantId, secretKey, owner: actor(owner) },
    ...{ developer: actor(developer), support: actor(support) },
    accounts: Object.fromEntries(
      accounts.map((each) => [each.connection.slot, each]),
    ) as Business['accounts'],
  };
}

function addColleagues(past: Past, tenantId: string) {
  return past.tx(async (tx) => {
    const owner = await tx.em.findOneOrFail(Member, { tenant_id: tenantId, role: 'owner' });
    const invite = (name: string, role: 'developer' | 'viewer') => {
      const email = owner.email.replace('owner', name.split(' ')[0]!.toLowerCase());
      const by = { tenantId, memberId: owner.id };
      return inviteMember(tx, by, { email, name, role });
    };
    const developer = await invite('Tunde Bakare', 'developer');
    const support = await invite('Ngozi Eze', 'developer');
    return { owner: owner.id, developer: developer.id, support: support.id };
  });
}

async function accountBehind({ context, sandbox }: Past, id: string) {
  const connection = (await findConnection(context.db, id))!;
  const { secret_key: secretKey } = openCredentials(context.vault, connection);
  const provider = connection.adapter as ProviderName;
  return { connection, account: findAccount(sandbox.store, provider, secretKey!)! };
}
