import { randomBytes, randomInt } from 'node:crypto';
import type { Context } from '../config/context.ts';
import { openCredentials } from '../domain/accounts/connection/connection.ts';
import { addConnection, type Desk } from '../domain/accounts/tenant/create-tenant.ts';
import { Connection } from '../domain/entities.ts';
import type { Credentials } from '../domain/providers/provider.ts';
import type { Slot } from '../domain/shared/slot.ts';

/** Gives a tenant its sandbox connections in test mode, one for each slot that has an adapter and is not taken, with credentials of its own. */
export function addSandboxConnections(
  desk: Desk,
  context: Context,
  tenantId: string,
  taken: readonly string[] = [],
): void {
  for (const [index, [slot, adapter]] of Object.entries(context.env.slots).entries()) {
    if (adapter === null || taken.includes(slot)) continue;
    const credentials = newCredentials[adapter]!();
    addConnection(desk, tenantId, {
      mode: 'test',
      slot: slot as Slot,
      adapter,
      credentials,
      sandbox: true,
      position: index,
    });
  }
}

/** Test credentials that look like each provider's own and that nobody has, by adapter. */
const newCredentials: Record<string, () => Credentials> = {
  paystack: () => ({ secret_key: `sk_test_${hex(20)}` }),
  flutterwave: () => ({ secret_key: `FLWSECK_TEST-${hex(16)}-X`, secret_hash: hex(20) }),
  monnify: () => ({
    api_key: `MK_TEST_${hex(5).toUpperCase()}`,
    secret_key: hex(16).toUpperCase(),
    contract_code: String(randomInt(1_000_000_000, 10_000_000_000)),
  }),
};

function hex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}

/** Tells the sandbox of every sandbox connection, or one tenant's: its account, and where its notifications go. Safe to repeat. */
export async function registerSandboxAccounts(context: Context, tenantId?: string): Promise<void> {
  const connections = await context.orm.em
    .fork()
    .find(Connection, { sandbox: true, ...(tenantId ? { tenantId } : {}) });
  for (const connection of connections) {
    const { id, mode, adapter, slot } = connection;
    const credentials = openCredentials(context.vault, {
      ...connection,
      tenant_id: connection.tenantId,
    });
    const account = {
      provider: adapter,
      slot,
      mode,
      ...credentials,
      notification_url: `${context.env.publicUrl}/notifications/${id}`,
    };
    const response = await fetch(`${context.env.sandboxUrl}/_control/accounts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(account),
      signal: AbortSignal.timeout(5_000),
    });
    if (!response.ok)
      throw new Error(
        `The sandbox did not take the account of ${id}: ${response.status} ${await response.text()}`,
      );
  }
}
