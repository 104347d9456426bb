import { type Actor, recordChange } from '../../accounts/audit-log/record-change.ts';
import { newWebhookSecret } from '../../accounts/token/credentials.ts';
import { Problem } from '../../shared/problems.ts';
import type { Tx } from '../../shared/tx.ts';
import { DAY_MS } from '../../shared/units.ts';
import type { EventType } from '../event/publish.ts';
import { disableEndpoint } from './disable.ts';
import { lockEndpoint } from './find.ts';
import { type EndpointRow, sealedFor, stillSigning } from './secrets.ts';

/**
 * Disabling cancels what waits; enabling, or another address, clears failures. Missed events are
 * sent on request (`resendMissed`).
 */
export async function changeEndpoint(
  tx: Tx,
  actor: Actor,
  id: string,
  changes: {
    url?: string | undefined;
    eventTypes?: readonly EventType[] | undefined;
    status?: EndpointRow['status'] | undefined;
  },
) {
  const row = await lockEndpoint(tx, actor, id);
  const { url = row.url, eventTypes = row.event_types, status = row.status } = changes;
  const isNew = {
    url: url !== row.url,
    types: String(eventTypes) !== String(row.event_types),
    status: status !== row.status,
  };
  const changed = [
    ...(isNew.url ? [`url: ${url}`] : []),
    ...(isNew.types ? [`event_types: ${eventTypes.join(', ')}`] : []),
    ...(isNew.status ? [`status: ${status}`] : []),
  ];
  if (changed.length === 0) return row;
  if (isNew.status && status === 'disabled') await disable(tx, row);
  Object.assign(row, { url, event_types: [...eventTypes], status });
  if (isNew.url || isNew.status) row.failing_since = null;
  if (status === 'enabled') Object.assign(row, { disabled_at: null, disabled_reason: null });
  await recordChange(tx, actor, 'webhook_endpoint.changed', id, changed.join('; '));
  return row;
}

export const OVERLAP_MS = DAY_MS;
/** Each costs every delivery one more signature. */
const MAX_OLD_SECRETS = 4;

/**
 * Shown once; the previous one also signs for a day. Throws `invalid_state` when too many still
 * sign.
 */
export async function rotateSecret(
  tx: Tx,
  actor: Actor,
  id: string,
): Promise<{ row: EndpointRow; secret: string }> {
  const { now, vault } = tx;
  const row = await lockEndpoint(tx, actor, id);
  const still = stillSigning(row, now);
  if (still.length >= MAX_OLD_SECRETS) {
    throw new Problem(
      'invalid_state',
      `${still.length} older secrets still sign. Rotate again after ${still.at(-1)!.until}.`,
    );
  }
  const secret = newWebhookSecret();
  const until = new Date(now.getTime() + OVERLAP_MS).toISOString();
  row.old_secrets = [{ secret: row.secret, until }, ...still];
  row.secret = vault.seal(secret, sealedFor(row));
  await recordChange(tx, actor, 'webhook_endpoint.secret_rotated', id);
  return { row, secret };
}

/** Cancels what waits and erases the secrets. Its deliveries can still be read. */
export async function deleteEndpoint(tx: Tx, actor: Actor, id: string): Promise<EndpointRow> {
  const row = await lockEndpoint(tx, actor, id);
  await disable(tx, row);
  Object.assign(row, { deleted_at: tx.now, secret: '', old_secrets: [] });
  await recordChange(tx, actor, 'webhook_endpoint.deleted', id, row.url);
  return row;
}

async function disable(tx: Tx, row: EndpointRow): Promise<void> {
  await disableEndpoint(tx, row.id, 'by_hand');
  await tx.em.refresh(row);
}
