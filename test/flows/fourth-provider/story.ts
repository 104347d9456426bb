import { providers } from '../../../domain/providers/registry.ts';
import { acme } from './acme/provider.ts';

// The line that a new provider takes in the registry. Everything is imported after it.
providers.acme = acme;

const { readEnv } = await import('../../../config/env.ts');
const { listNamedConnections } = await import('../../../domain/accounts/connection/connection.ts');
const { reconcileOne } = await import('../../../scripts/reconcile/run.ts');
const { runHousekeeping } = await import('../../../workers/housekeeping.ts');
const { memberOf } = await import('../../support/members.ts');
const { settingsFor } = await import('../../support/settings.ts');
const { startStack } = await import('../../support/stack.ts');
const { startAcme, token } = await import('./acme/server.ts');

await using server = await startAcme();
await using stack = await startStack();
const { context } = stack;
const { slots, baseUrls } = readEnv({
  ...settingsFor(context.env.databaseUrl),
  PROVIDER_A: 'acme',
  ACME_BASE_URL: server.url,
});
Object.assign(context.env, { slots, baseUrls });

const tenant = await stack.newTenant({ connected: false });
const as = { key: (await memberOf(stack, tenant, 'owner')).token };
const connect = (value: string) =>
  stack.api.post('/connections', { provider: 'provider_a', credentials: { token: value } }, as);
const refused = await connect('acme_live_0123456789');
const connected = await connect(token);

const key = tenant.secret_key_test;
const order = { amount_kobo: 250_000, email: 'payer@example.com' };
const created = await stack.api.post('/charges', order, { key });
await stack.settle();
const { reference } = created.json;
const unpaid = await stack.api.get(`/charges/${reference}`, { key });
server.payAll(context.clock());
stack.clock.advance(60_000);
const paid = await stack.api.get(`/charges/${reference}`, { key });

await runHousekeeping(context);
const tasks = await stack.sql`select task from connection_tasks
  where connection_id = ${connected.json.id}`;
const [connection] = await listNamedConnections(context.db, tenant.tenant_id);
stack.clock.advance(10 * 24 * 3_600_000);
const days = { from: '2020-01-01', to: '2100-01-01' };
const { failure, report } = await reconcileOne(
  context,
  connection!,
  days,
  AbortSignal.timeout(20_000),
);

console.log(
  JSON.stringify({
    refused: refused.json.error.fields,
    connected: connected.json,
    unpaid: unpaid.json.status,
    paid: paid.json,
    tasks,
    failure,
    report,
  }),
);
