import type { Context } from '../../config/context.ts';
import { Connection } from '../../domain/accounts/entities/connection.ts';
import { Tenant } from '../../domain/accounts/entities/tenant.ts';
import {
  addWebhookEndpoint,
  type CreatedTenant,
  createTenant,
} from '../../domain/accounts/tenant/create-tenant.ts';
import { WebhookEndpoint } from '../../domain/webhooks/entities/endpoint.ts';
import { addSandboxConnections } from '../sandbox-tenant.ts';
import { readJson, writePrivate } from './files.ts';

interface KeptTenant extends CreatedTenant {
  webhook_secret_test: string;
  webhook_endpoint_test: string;
}

/**
 * The demo tenant of a local stack: made on the first start, found on every later one. What is shown once is kept in `file`, readable
 * by its owner alone.
 */
export async function demoTenant(
  context: Context,
  file: string,
  webhookUrl: string,
): Promise<CreatedTenant & { webhook_secret_test: string }> {
  const { webhook_endpoint_test, ...shown } =
    (await findTenant(context, file, webhookUrl)) ?? (await makeTenant(context, file, webhookUrl));
  return shown;
}

async function findTenant(
  context: Context,
  file: string,
  webhookUrl: string,
): Promise<KeptTenant | undefined> {
  const kept = await readJson<KeptTenant>(file);
  const em = context.orm.em.fork();
  if (!kept || !(await em.findOne(Tenant, { id: kept.tenant_id }))) return undefined;
  await em.nativeUpdate(WebhookEndpoint, { id: kept.webhook_endpoint_test }, { url: webhookUrl });
  // Slots that got their provider since the tenant was made.
  const connections = await em.find(Connection, { tenant_id: kept.tenant_id, mode: 'test' });
  const taken = connections.map(({ slot }) => slot);
  addSandboxConnections(
    { em, vault: context.vault, now: context.clock() },
    context,
    kept.tenant_id,
    taken,
  );
  await em.flush();
  return kept;
}

async function makeTenant(context: Context, file: string, webhookUrl: string): Promise<KeptTenant> {
  const desk = { em: context.orm.em.fork(), vault: context.vault, now: context.clock() };
  const ownerEmail = `owner-${desk.now.getTime()}@demo.example`;
  const created = await createTenant(desk, { name: 'Demo Store', ownerEmail });
  addSandboxConnections(desk, context, created.tenant_id);
  const { id, secret } = addWebhookEndpoint(desk, created.tenant_id, 'test', webhookUrl);
  await desk.em.flush();
  const kept = { ...created, webhook_secret_test: secret, webhook_endpoint_test: id };
  await writePrivate(file, `${JSON.stringify(kept, null, 2)}\n`);
  return kept;
}
