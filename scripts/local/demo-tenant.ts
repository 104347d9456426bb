import type { Context } from '../../config/context.ts';
import { Connection } from '../../domain/accounts/entities/connection.ts';
import { Tenant } from '../../domain/accounts/entities/tenant.ts';
import { type CreatedTenant, createTenant } from '../../domain/accounts/tenant/create-tenant.ts';
import { addEndpoint } from '../../domain/webhooks/endpoint/create.ts';
import { WebhookEndpoint } from '../../domain/webhooks/entities/endpoint.ts';
import { defaultEventTypes } from '../../domain/webhooks/event/publish.ts';
import { addSandboxConnections } from '../sandbox-tenant.ts';
import { readJson, writePrivate } from './files.ts';

interface StoredTenant extends CreatedTenant {
  webhook_secret_test: string;
  webhook_endpoint_test: string;
}

/** The demo tenant of a local stack, made on the first start; its secrets are kept in `file`. */
export async function demoTenant(context: Context, file: string, webhookUrl: string) {
  const { webhook_endpoint_test, ...shown } =
    (await findTenant(context, file, webhookUrl)) ?? (await newTenant(context, file, webhookUrl));
  return shown;
}

async function findTenant(context: Context, file: string, webhookUrl: string) {
  const stored = await readJson<StoredTenant>(file);
  if (!stored) return undefined;
  const { tenant_id, webhook_endpoint_test: id } = stored;
  return context.inTx(async (tx) => {
    if (!(await tx.em.findOne(Tenant, { id: tenant_id }))) return undefined;
    await tx.em.nativeUpdate(WebhookEndpoint, { id }, { url: webhookUrl });
    // Slots that got their provider since the tenant was created.
    const connections = await tx.em.find(Connection, { tenant_id, mode: 'test' });
    const taken = connections.map(({ slot }) => slot);
    addSandboxConnections(tx, context, tenant_id, taken);
    return stored;
  });
}

async function newTenant(context: Context, file: string, webhookUrl: string) {
  const tenant = await context.inTx(async (tx) => {
    const owner = { name: 'Demo Store', ownerEmail: 'owner@demo.example' };
    const created = await createTenant(tx, owner);
    addSandboxConnections(tx, context, created.tenant_id);
    const reader = { tenantId: created.tenant_id, mode: 'test' as const };
    const endpoint = { url: webhookUrl, eventTypes: defaultEventTypes };
    const { row, secret } = addEndpoint(tx, reader, endpoint);
    return { ...created, webhook_secret_test: secret, webhook_endpoint_test: row.id };
  });
  await writePrivate(file, `${JSON.stringify(tenant, null, 2)}\n`);
  return tenant;
}
