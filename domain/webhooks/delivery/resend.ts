import { type Actor, recordChange } from '../../accounts/audit-log/record-change.ts';
import type { RowOf } from '../../shared/columns.ts';
import { newId } from '../../shared/ids.ts';
import { Problem } from '../../shared/problems.ts';
import { statement } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import type { EndpointRow } from '../endpoint/secrets.ts';
import type { Delivery } from '../entities/delivery.ts';
import { type DeliveryRow, findDelivery, noSuchDelivery } from './delivery.ts';

interface Resendable
  extends Pick<RowOf<typeof Delivery>, 'event_id' | 'endpoint_id' | 'status'>,
    Pick<EndpointRow, 'deleted_at'> {
  endpoint_status: EndpointRow['status'];
}

/**
 * A new delivery; the old one is cancelled if pending. Throws `not_found`, and `invalid_state` for
 * a test and for a deleted or disabled endpoint.
 */
export async function resendDelivery(tx: Tx, actor: Actor, id: string): Promise<DeliveryRow> {
  const { sql, now } = tx;
  const { tenantId, mode } = actor;
  const [found] = await sql.query<Resendable>(
    `select d.event_id, d.endpoint_id, d.status, endpoint.status as endpoint_status,
       endpoint.deleted_at
     from deliveries d join webhook_endpoints endpoint on endpoint.id = d.endpoint_id
     where d.id = $1 and d.tenant_id = $2 and d.mode = $3 for update of d`,
    [id, tenantId, mode],
  );
  if (!found) throw noSuchDelivery();
  refuseUnsendable(found);
  if (found.status === 'pending') {
    await sql.query(
      `update deliveries set status = 'cancelled', due_at = null, finished_at = $2 where id = $1`,
      [id, now],
    );
  }
  const newDelivery = newId('dlv', now);
  await insertResend(sql, { ...found, id: newDelivery, tenantId, mode, now, resendOf: id });
  await recordChange(tx, actor, 'delivery.resent', id, newDelivery);
  tx.enqueue({ queue: 'webhook-deliver', id: newDelivery, group: found.endpoint_id });
  return findDelivery(sql, actor, newDelivery);
}

const insertResend = statement(`
  insert into deliveries (
    id, event_id, endpoint_id, tenant_id, mode, status, due_at, created_at, resend_of)
  values (:id, :event_id, :endpoint_id, :tenantId, :mode, 'pending', :now, :now, :resendOf)`);

function refuseUnsendable({ event_id, endpoint_status, deleted_at }: Resendable): void {
  if (event_id === null)
    throw new Problem('invalid_state', 'This was a test delivery. Send a new test instead.');
  if (deleted_at) throw new Problem('invalid_state', 'The endpoint this went to is deleted.');
  if (endpoint_status !== 'enabled')
    throw new Problem('invalid_state', 'The endpoint is disabled. Enable it first.');
}
