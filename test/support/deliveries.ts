import { newId } from '../../domain/shared/ids.ts';
import type { DeliveryStatus } from '../../domain/webhooks/delivery/delivery.ts';
import { addEndpoint as insertEndpoint } from '../../domain/webhooks/endpoint/create.ts';
import {
  defaultEventTypes,
  type EventType,
  publishEvent,
} from '../../domain/webhooks/event/publish.ts';
import { eventData } from './event-data.ts';
import type { Stack } from './stack.ts';

type Of = Pick<Stack, 'context' | 'tenant' | 'clock'>;

/** Makes a test endpoint of the tenant; nobody listens there unless a `url` is given. */
export async function addEndpoint(
  { context, tenant }: Of,
  url = 'http://127.0.0.1:9/hook',
): Promise<string> {
  const test = { tenantId: tenant.tenant_id, mode: 'test' as const };
  const endpoint = { url, eventTypes: defaultEventTypes };
  return context.inTx(async (tx) => insertEndpoint(tx, test, endpoint).row.id);
}

/** Publishes an event in test mode and enqueues its deliveries; returns its id. */
export async function publish(
  { context, tenant }: Of,
  type: EventType = 'charge.succeeded',
  data: object = {},
): Promise<string> {
  const before = newId('txn', context.clock());
  await context.inTx((tx) =>
    publishEvent(tx, {
      tenantId: tenant.tenant_id,
      mode: 'test',
      type,
      subjectId: before,
      data: { ...eventData(type, before), ...data },
    }),
  );
  const [event] = await context.db.query<{ id: string }>(
    'select id from events where subject_id = $1',
    [before],
  );
  return event!.id;
}

/** Makes a delivery of a new event, without enqueueing it; returns its id. */
export async function addDelivery(
  stack: Of,
  { endpointId, status = 'exhausted' }: { endpointId?: string; status?: DeliveryStatus } = {},
): Promise<string> {
  const { context, tenant, clock } = stack;
  const to = endpointId ?? (await addEndpoint(stack));
  const [event, id] = [newId('evt', clock()), newId('dlv', clock())];
  const type = 'charge.failed';
  const body = {
    ...{ id: event, type, created_at: clock().toISOString(), mode: 'test' },
    ...{ tenant_id: tenant.tenant_id, data: eventData(type, newId('txn', clock())) },
  };
  await context.db.query(
    `with event as (
       insert into events (id, tenant_id, mode, type, subject_id, body, created_at)
       values ($1, $2, 'test', $7, $1, $8, $3)
     )
     insert into deliveries (id, event_id, endpoint_id, tenant_id, mode, status, finished_at, created_at)
     values ($4, $1, $5, $2, 'test', $6, $3, $3)`,
    [event, tenant.tenant_id, clock(), id, to, status, type, JSON.stringify(body)],
  );
  return id;
}
