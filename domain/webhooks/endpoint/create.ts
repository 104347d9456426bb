import { type Actor, recordChange } from '../../accounts/audit-log/record-change.ts';
import { lockTenant } from '../../accounts/lock-tenant.ts';
import { newWebhookSecret } from '../../accounts/token/credentials.ts';
import { newId } from '../../shared/ids.ts';
import { Problem } from '../../shared/problems.ts';
import type { Reader } from '../../shared/reader.ts';
import type { Tx } from '../../shared/tx.ts';
import { WebhookEndpoint } from '../entities/endpoint.ts';
import type { EventType } from '../event/publish.ts';
import { type EndpointRow, sealedFor } from './secrets.ts';

/** Few enough that an event has few deliveries. */
export const MAX_ENDPOINTS = 20;

export interface NewEndpoint {
  url: string;
  eventTypes: readonly EventType[];
}

/** Its secret is shown once. Written when the EntityManager flushes. */
export function addEndpoint(
  { em, vault, now }: Pick<Tx, 'em' | 'vault' | 'now'>,
  { tenantId, mode }: Reader,
  { url, eventTypes }: NewEndpoint,
): { row: EndpointRow; secret: string } {
  const id = newId('whe', now);
  const secret = newWebhookSecret();
  const row = em.create(WebhookEndpoint, {
    id,
    tenant_id: tenantId,
    mode,
    url,
    event_types: [...eventTypes],
    secret: vault.seal(secret, sealedFor({ id, tenant_id: tenantId, mode })),
    old_secrets: [],
    status: 'enabled',
    failing_since: null,
    disabled_at: null,
    disabled_reason: null,
    missed_since: null,
    created_at: now,
    deleted_at: null,
  });
  return { row, secret };
}

/** Its secret is shown once. Throws `invalid_state` above the bound, also under races. */
export async function createEndpoint(
  tx: Tx,
  actor: Actor,
  newEndpoint: NewEndpoint,
): Promise<{ row: EndpointRow; secret: string }> {
  const { tenantId, mode } = actor;
  await lockTenant(tx, tenantId);
  const existing = await tx.em.count(WebhookEndpoint, {
    tenant_id: tenantId,
    mode,
    deleted_at: null,
  });
  if (existing >= MAX_ENDPOINTS)
    throw new Problem(
      'invalid_state',
      `There are ${MAX_ENDPOINTS} webhook endpoints in ${mode} mode already. Delete one first.`,
    );
  const { row, secret } = addEndpoint(tx, actor, newEndpoint);
  await recordChange(tx, actor, 'webhook_endpoint.created', row.id, row.url);
  return { row, secret };
}
