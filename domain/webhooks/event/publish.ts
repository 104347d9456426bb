import type { Job } from '../../jobs.ts';
import { newId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/tx.ts';
import type { eventTypes } from '../entities/event.ts';

export type EventType = (typeof eventTypes)[number];
export const defaultEventTypes: readonly EventType[] = ['charge.succeeded', 'refund.completed'];

export interface NewEvent {
  tenantId: string;
  mode: string;
  type: EventType;
  /** The row the event is about; `charge.succeeded` happens once for each. */
  subjectId: string;
  data: object;
}

/**
 * Writes an event and one delivery for each enabled endpoint that wants its type, in the
 * transaction of the change itself, so that no committed change goes unsent. The body's bytes are
 * fixed here. Returns the deliveries' jobs.
 */
export async function publishEvent({ sql, now }: Tx, event: NewEvent): Promise<Job[]> {
  const { tenantId, mode, type, subjectId, data } = event;
  const id = newId('evt', now);
  const body = JSON.stringify({
    id,
    type,
    created_at: now.toISOString(),
    mode,
    tenant_id: tenantId,
    data,
  });
  const endpoints = await sql.query<{ id: string }>(
    `select id from webhook_endpoints
     where tenant_id = $1 and mode = $2 and status = 'enabled' and $3 = any(event_types)`,
    [tenantId, mode, type],
  );
  const deliveryIds = endpoints.map(() => newId('dlv', now));
  await sql.query(
    `with event as (
       insert into events (id, tenant_id, mode, type, subject_id, body, created_at)
         values ($1, $2, $3, $4, $5, $6, $7)
     )
     insert into deliveries (id, event_id, endpoint_id, tenant_id, mode, status, due_at, created_at)
     select delivery.id, $1, delivery.endpoint_id, $2, $3, 'pending', $7, $7
     from unnest($8::text[], $9::text[]) as delivery (id, endpoint_id)`,
    [
      id,
      tenantId,
      mode,
      type,
      subjectId,
      body,
      now,
      deliveryIds,
      endpoints.map((endpoint) => endpoint.id),
    ],
  );
  return deliveryIds.map((deliveryId) => ({ queue: 'webhook-deliver', id: deliveryId, tries: 0 }));
}
