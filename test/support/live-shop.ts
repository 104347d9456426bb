import { registerSandboxAccounts } from '../../scripts/sandbox-tenant.ts';
import { apiClient } from './api.ts';
import { connect } from './connect.ts';
import type { Stack } from './stack.ts';

/** The stack with the live key, and a provider in live mode that the sandbox plays. */
export async function liveShop(stack: Stack): Promise<Stack> {
  const { tenant_id, secret_key_live } = stack.tenant;
  const live = `connections where mode = 'live' and tenant_id = '${tenant_id}'`;
  if ((await stack.count(live)) === 0) {
    const credentials = { secret_key: `sk_${tenant_id}` };
    await connect(stack, tenant_id, { mode: 'live', credentials });
    await registerSandboxAccounts(stack.context, tenant_id);
  }
  return { ...stack, api: apiClient(stack.baseUrl, secret_key_live) };
}
