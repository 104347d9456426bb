import type { Context } from '../../config/context.ts';
import { Connection } from '../../domain/accounts/entities/connection.ts';
import { Tenant } from '../../domain/accounts/entities/tenant.ts';
import { type CreatedTenant, createTenant } from '../../domain/accounts/tenant/create-tenant.ts';
import { addEndpoint } from '../../domain/webhooks/endpoint/endpoint.ts';
import { WebhookEndpoint } from '../../domain/webhooks/entities/endpoint.ts';
import { defaultEventTypes } from '../../domain/webhooks/event/publish.ts';
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
  if (!kept) return undefined;
  const { tenant_id, webhook_endpoint_test: id } = kept;
  return context.transaction(async (tx) => {
    if (!(await tx.em.findOne(Tenant, { id: tenant_id }))) return undefined;
    await tx.em.nativeUpdate(WebhookEndpoint, { id }, { url: webhookUrl });
    // Slots that got their provider since the tenant was made.
    const connections = await tx.em.find(Connection, { tenant_id, mode: 'test' });
    const taken = connections.map(({ slot }) => slot);
    addSandboxConnections(tx, context, tenant_id, taken);
    return kept;
  });
}

async function makeTenant(context: Context, file: string, webhookUrl: string): Promise<KeptTenant> {
  const kept = await context.transaction(async (tx) => {
    const ownerEmail = `owner-${tx.now.getTime()}@demo.example`;
    const created = await createTenant(tx, { name: 'Demo Store', ownerEmail });
    addSandboxConnections(tx, context, created.tenant_id);
    const reader = { tenantId: created.tenant_id, mode: 'test' as const };
    const endpoint = { url: webhookUrl, eventTypes: defaultEventTypes };
    const { id, secret } = addEndpoint(tx, reader, endpoint);
    return { ...created, webhook_secret_test: secret, webhook_endpoint_test: id };
  });
  await writePrivate(file, `${JSON.stringify(kept, null, 2)}\n`);
  return kept;
}
