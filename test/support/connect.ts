import { addConnection, type NewConnection } from '../../domain/accounts/tenant/create-tenant.ts';
import type { Stack } from './stack.ts';

/** Connects a tenant to a provider the sandbox knows nothing of: enough to have a charge written. Returns the connection's id. */
export async function connect(
  { context }: Stack,
  tenantId: string,
  connection: Partial<NewConnection> = {},
): Promise<string> {
  const deps = { em: context.orm.em.fork(), vault: context.vault, now: context.clock() };
  const credentials = { secret_key: 'sk_nobody_knows' };
  const defaults: NewConnection = {
    mode: 'test',
    slot: 'provider_a',
    adapter: 'paystack',
    credentials,
    sandbox: true,
    position: 0,
  };
  const id = addConnection(deps, tenantId, { ...defaults, ...connection });
  await deps.em.flush();
  return id;
}

/** What a member does who disconnects a provider. */
export async function disconnectAll({ context }: Stack, tenantId: string): Promise<void> {
  await context.db.query('update connections set disabled_at = $2 where tenant_id = $1', [
    tenantId,
    context.clock(),
  ]);
}

/** What a member does who revokes a key. */
export async function revokeKeys({ context }: Stack, tenantId: string): Promise<void> {
  await context.db.query('update api_keys set revoked_at = $2 where tenant_id = $1', [
    tenantId,
    context.clock(),
  ]);
}
