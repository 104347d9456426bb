import { randomBytes } from 'node:crypto';
import type { Context } from '../config/context.ts';
import type { Slot } from '../domain/charge/row.ts';
import { Connection } from '../domain/entities.ts';
import { openCredentials } from '../domain/tenant/connection.ts';
import { addConnection, type Desk } from '../domain/tenant/create.ts';

/** Gives a tenant its sandbox connections in test mode, one for each slot that has an adapter, with credentials of its own. */
export function addSandboxConnections(desk: Desk, context: Context, tenantId: string): void {
  for (const [index, [slot, adapter]] of Object.entries(context.env.slots).entries()) {
    if (adapter === null) continue;
    const credentials = { secret_key: `sk_test_${randomBytes(20).toString('hex')}` };
    addConnection(desk, tenantId, { mode: 'test', slot: slot as Slot, adapter, credentials, sandbox: true, position: index });
  }
}

/** Tells the sandbox of every sandbox connection: its account, and where its notifications go. Safe to repeat. */
export async function registerSandboxAccounts(context: Context): Promise<void> {
  const connections = await context.orm.em.fork().find(Connection, { sandbox: true });
  for (const connection of connections) {
    const { id, tenantId, mode, adapter, slot } = connection;
    const credentials = openCredentials(context.vault, { ...connection, tenant_id: tenantId });
    const account = { provider: adapter, slot, mode, ...credentials, notification_url: `${context.env.publicUrl}/notifications/${id}` };
    const response = await fetch(`${context.env.sandboxUrl}/_control/accounts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(account),
      signal: AbortSignal.timeout(5_000),
    });
    if (!response.ok) throw new Error(`The sandbox did not take the account of ${id}: ${response.status} ${await response.text()}`);
  }
}
