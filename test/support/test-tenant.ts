import { randomBytes } from 'node:crypto';
import type { Context } from '../../config/context.ts';
import { ensureConnectionTasks } from '../../domain/accounts/connection/tasks.ts';
import { type CreatedTenant, createTenant } from '../../domain/accounts/tenant/create-tenant.ts';
import { connectionTasks } from '../../domain/providers/registry.ts';
import { addEndpoint } from '../../domain/webhooks/endpoint/create.ts';
import { defaultEventTypes } from '../../domain/webhooks/event/publish.ts';
import type { Receiver } from '../../scripts/local/receiver.ts';
import { addSandboxConnections, registerSandboxAccounts } from '../../scripts/sandbox-tenant.ts';
import { cheapPasswords } from './passwords.ts';

export interface TestTenant extends CreatedTenant {
  webhook_secret_test: string;
}

export async function makeTenant(
  context: Context,
  receiver: Receiver,
  { connected, payouts, lists }: { connected: boolean; payouts: boolean; lists: boolean },
): Promise<TestTenant> {
  const { created, secret } = await context.inTx(async (tx) => {
    const created = await createTenant(tx, {
      name: 'Test Store',
      ownerEmail: `owner-${randomBytes(6).toString('hex')}@test.example`,
      passwordCost: cheapPasswords,
    });
    if (connected) addSandboxConnections(tx, context, created.tenant_id);
    const test = { tenantId: created.tenant_id, mode: 'test' as const };
    const endpoint = { url: `${receiver.url}/webhooks`, eventTypes: defaultEventTypes };
    return { created, secret: addEndpoint(tx, test, endpoint).secret };
  });
  if (connected) await registerSandboxAccounts(context, created.tenant_id);
  if (lists) await giveTasks(context);
  await suspendTasks(context, created.tenant_id, [
    ...(payouts ? [] : ['settlements', 'audit', 'books']),
    ...(lists ? [] : ['payments']),
  ]);
  return { ...created, webhook_secret_test: secret };
}

async function giveTasks({ db, clock }: Context): Promise<void> {
  await ensureConnectionTasks({ sql: db, now: clock() }, connectionTasks(), 1_000);
}

async function suspendTasks({ db }: Context, tenantId: string, tasks: string[]): Promise<void> {
  await db.query(
    `insert into connection_tasks (id, connection_id, task) select 'ctk_' || md5(c.id || task), c.id, task
     from connections c cross join unnest($2::text[]) task where c.tenant_id = $1
     on conflict (connection_id, task) do update set due_at = null`,
    [tenantId, tasks],
  );
}
