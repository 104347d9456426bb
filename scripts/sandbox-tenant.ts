import { randomBytes } from 'node:crypto';
import type { Context } from '../config/context.ts';
import { openCredentials } from '../domain/accounts/connection/connection.ts';
import { addConnection, draftConnection } from '../domain/accounts/connection/connections.ts';
import { Connection } from '../domain/accounts/entities/connection.ts';
import { sampleCredentials } from '../domain/providers/port/credentials.ts';
import { providerNamed } from '../domain/providers/registry.ts';
import type { Slot } from '../domain/shared/slot.ts';
import type { Tx } from '../domain/shared/tx.ts';
import { expectAnswer } from './local/api-call.ts';

/** Gives a tenant its sandbox connections in test mode, one for each slot that is not taken. */
export function addSandboxConnections(
  tx: Tx,
  context: Context,
  tenantId: string,
  taken: readonly string[] = [],
): void {
  for (const [index, [slot, adapter]] of Object.entries(context.env.slots).entries()) {
    if (adapter === null || taken.includes(slot)) continue;
    const credentials = sampleCredentials(providerNamed(adapter), hex);
    const connection = { slot: slot as Slot, adapter, credentials, sandbox: true };
    addConnection(tx, draftConnection(tx, { tenantId, mode: 'test' }, connection), index);
  }
}

function hex(digits: number): string {
  return randomBytes(Math.ceil(digits / 2))
    .toString('hex')
    .slice(0, digits);
}

/** Registers sandbox connections, of all tenants or of one, with the sandbox. Safe to repeat. */
export async function registerSandboxAccounts(context: Context, tenantId?: string): Promise<void> {
  const connections = await context.orm.em
    .fork()
    .find(Connection, { sandbox: true, ...(tenantId ? { tenant_id: tenantId } : {}) });
  const register = async (connection: (typeof connections)[number]) => {
    const { id, mode, adapter, slot } = connection;
    const credentials = openCredentials(context.vault, connection);
    const body = {
      ...{ provider: adapter, slot, mode, ...credentials },
      notification_url: `${context.env.publicUrl}/notifications/${id}`,
    };
    await expectAnswer(context.env.sandboxUrl!, { path: '/_control/accounts', body });
  };
  for (let at = 0; at < connections.length; at += AT_ONCE)
    await Promise.all(connections.slice(at, at + AT_ONCE).map(register));
}

const AT_ONCE = 20;
