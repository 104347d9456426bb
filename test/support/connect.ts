import {
  addConnection,
  draftConnection,
  type NewConnection,
} from '../../domain/accounts/connection/connections.ts';
import type { Mode } from '../../domain/shared/reader.ts';
import type { Stack } from './stack.ts';

/** Connects a tenant to a provider the sandbox does not know: enough to write a charge. */
export async function connect(
  { context }: Stack,
  tenantId: string,
  {
    mode = 'test',
    position = 0,
    ...connection
  }: Partial<NewConnection> & { mode?: Mode; position?: number } = {},
): Promise<string> {
  const defaults: NewConnection = {
    slot: 'provider_a',
    adapter: 'paystack',
    credentials: { secret_key: 'sk_nobody_knows' },
    sandbox: true,
  };
  return context.inTx(async (tx) => {
    const draft = draftConnection(tx, { tenantId, mode }, { ...defaults, ...connection });
    return addConnection(tx, draft, position).id;
  });
}

export async function anyConnection(stack: Stack, mode: Mode = 'test'): Promise<string> {
  const { tenant_id: tenantId } = stack.tenant;
  const [connection] = await stack.context.db.query<{ id: string }>(
    'select id from connections where tenant_id = $1 and mode = $2 order by id limit 1',
    [tenantId, mode],
  );
  return connection?.id ?? (await connect(stack, tenantId, { mode }));
}

export async function disconnectAll({ sql, clock }: Stack, tenantId: string): Promise<void> {
  await sql`update connections set disabled_at = ${clock()} where tenant_id = ${tenantId}`;
}

export async function revokeKeys({ sql, clock }: Stack, tenantId: string): Promise<void> {
  await sql`update api_keys set revoked_at = ${clock()} where tenant_id = ${tenantId}`;
}
