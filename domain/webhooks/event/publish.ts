import type { Job } from '../../jobs.ts';
import { firstIdAt, madeAt, newId } from '../../shared/ids.ts';
import type { Sql } from '../../shared/sql.ts';
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
 * fixed here. The caller has locked the subject: an event that may happen once only is not written
 * a second time, and throws. `endpointIds`: the endpoints, where the caller has read them. Returns
 * the deliveries' jobs.
 */
export async function publishEvent(
  { sql, write, now }: Tx,
  event: NewEvent,
  endpointIds?: readonly string[],
): Promise<Job[]> {
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
  const endpoints = endpointIds ?? (await findWanting(sql, event));
  const deliveryIds = endpoints.map(() => newId('dlv', now));
  await write({
    parts: WRITE_EVENT,
    values: [
      id,
      tenantId,
      mode,
      type,
      subjectId,
      body,
      now,
      deliveryIds,
      endpoints,
      firstEventIdOf(subjectId),
    ],
    otherwise: () => new Error(`${subjectId} has succeeded before.`),
  });
  return deliveryIds.map((deliveryId, n) => ({
    queue: 'webhook-deliver',
    id: deliveryId,
    tries: 0,
    group: endpoints[n]!,
  }));
}

const WRITE_EVENT = {
  delivery: `insert into deliveries (
      id, event_id, endpoint_id, tenant_id, mode, status, due_at, created_at)
    select delivery.id, $1, delivery.endpoint_id, $2, $3, 'pending', $7, $7
    from unnest($8::text[], $9::text[]) as delivery (id, endpoint_id)`,
  event: `insert into events (id, tenant_id, mode, type, subject_id, body, created_at)
    select $1, $2, $3, $4, $5, $6, $7
    where $4 <> 'charge.succeeded' or not exists (
      select from events where subject_id = $5 and type = $4 and id >= $10)
    returning id`,
};

/** SQL: the ids of the enabled endpoints of a tenant and mode that want a type of event. */
export const wantingEndpoints = (tenantId: string, mode: string, type: string) => `
  select id from webhook_endpoints where tenant_id = ${tenantId} and mode = ${mode}
    and status = 'enabled' and ${type} = any(event_types)`;

async function findWanting(
  sql: Sql,
  { tenantId, mode, type }: Pick<NewEvent, 'tenantId' | 'mode' | 'type'>,
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(wantingEndpoints('$1', '$2', '$3'), [
    tenantId,
    mode,
    type,
  ]);
  return rows.map(({ id }) => id);
}

/** The clocks of two processes differ by less. */
const CLOCKS_DIFFER_MS = 3_600_000;

/**
 * Sorts before the ids of all events about a row: they happened since it was made. It tells the
 * database which partitions it need not read.
 */
export function firstEventIdOf(subjectId: string): string {
  return firstIdAt('evt', new Date(madeAt(subjectId).getTime() - CLOCKS_DIFFER_MS));
}
