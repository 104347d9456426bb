import { firstIdAt, madeAt, newId } from '../../shared/ids.ts';
import { rowsWrite, type Sql } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import type { eventTypes } from '../entities/event.ts';

export type EventType = (typeof eventTypes)[number];
export const defaultEventTypes: readonly EventType[] = ['charge.succeeded', 'refund.completed'];

export interface NewEvent {
  tenantId: string;
  mode: string;
  type: EventType;
  /** `charge.succeeded` happens once for each. */
  subjectId: string;
  data: object;
}

/**
 * Writes an event and its deliveries in the transaction of the change, so that no committed change
 * goes unsent. The body's bytes are fixed here. The subject is locked: a repeated
 * `charge.succeeded` throws. `endpointIds`: where the caller has read them.
 */
export async function publishEvent(
  { sql, write, now, enqueue, tellsNobody }: Tx,
  event: NewEvent,
  endpointIds?: readonly string[],
): Promise<void> {
  if (tellsNobody) return;
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
  await write(
    eventsWrite(
      {
        key: type === ONCE ? subjectId : id,
        id,
        tenant_id: tenantId,
        mode,
        type,
        subject_id: subjectId,
        body,
        now,
        first_id: firstEventIdOf(subjectId),
      },
      () => new Error(`${subjectId} has succeeded before.`),
    ),
  );
  for (const endpointId of endpoints) {
    const key = newId('dlv', now);
    const to = { endpoint_id: endpointId, tenant_id: tenantId, mode };
    await write(deliveriesWrite({ key, event_id: id, ...to, now }));
    enqueue({ queue: 'webhook-deliver', id: key, group: endpointId });
  }
}

const ONCE: EventType = 'charge.succeeded';

/** Row by row: only the partitions it may be in are read. */
const eventsWrite = rowsWrite(
  'event',
  {
    key: 'text',
    id: 'text',
    tenant_id: 'text',
    mode: 'text',
    type: 'text',
    subject_id: 'text',
    body: 'text',
    now: 'timestamptz',
    first_id: 'text',
  },
  `insert into events (id, tenant_id, mode, type, subject_id, body, created_at)
  select id, tenant_id, mode, type, subject_id, body, now from :rows
  where type <> '${ONCE}' or not coalesce((
    select true from events e
    where e.subject_id = row.subject_id and e.type = row.type and e.id >= row.first_id
    limit 1), false)
  returning case type when '${ONCE}' then subject_id else id end as key`,
);

const deliveriesWrite = rowsWrite(
  'delivery',
  {
    key: 'text',
    event_id: 'text',
    endpoint_id: 'text',
    tenant_id: 'text',
    mode: 'text',
    now: 'timestamptz',
  },
  `insert into deliveries (id, event_id, endpoint_id, tenant_id, mode, status, due_at, created_at)
  select key, event_id, endpoint_id, tenant_id, mode, 'pending', now, now from :rows`,
);

/** SQL: the enabled endpoints that want a type. */
export const wantingEndpoints = (tenantId: string, mode: string, type: string) => `
  select id from webhook_endpoints where tenant_id = ${tenantId} and mode = ${mode}
    and status = 'enabled' and ${type} = any(event_types)`;

export async function findWanting(
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

const CLOCKS_DIFFER_MS = 3_600_000;

/** Sorts before all events about a row: the partitions before need not be read. */
export function firstEventIdOf(subjectId: string): string {
  return firstIdAt('evt', new Date(madeAt(subjectId).getTime() - CLOCKS_DIFFER_MS));
}
