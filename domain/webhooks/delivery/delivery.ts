import type { RowOf } from '../../shared/columns.ts';
import { Problem } from '../../shared/problems.ts';
import type { Reader } from '../../shared/reader.ts';
import { type Sql, statement } from '../../shared/sql.ts';
import { type Delivery, type DeliveryTry, deliveryStatuses } from '../entities/delivery.ts';
import type { EventType } from '../event/publish.ts';

export type DeliveryStatus = (typeof deliveryStatuses)[number];

export type DeliveryRow = Pick<
  RowOf<typeof Delivery>,
  | 'id'
  | 'endpoint_id'
  | 'event_id'
  | 'mode'
  | 'status'
  | 'resend_of'
  | 'due_at'
  | 'finished_at'
  | 'created_at'
> & {
  event_type: EventType | null;
  try_count: number;
  last_status_code: number | null;
  last_error: string | null;
};

export type TryRow = Pick<
  RowOf<typeof DeliveryTry>,
  'try' | 'at' | 'duration_ms' | 'status_code' | 'error' | 'answer'
>;

export const DELIVERIES_KEPT_DAYS = 90;

export const noSuchDelivery = () =>
  new Problem('not_found', 'There is no delivery with this id in this mode.');

/** Tries are stored for a shorter time than their delivery, whose counters then say how many. */
const deliveriesFrom = (source: string, more = '') => `
select d.id, d.endpoint_id, d.event_id, event.type as event_type, d.mode, d.status, d.resend_of,
  d.due_at, d.finished_at, d.created_at,
  coalesce(last.try,
    case when d.status = 'pending' then 0 else d.tries - d.snoozes end) as try_count,
  last.status_code as last_status_code, last.error as last_error${more}
from ${source} d
left join events event on event.tenant_id = d.tenant_id and event.mode = d.mode
  and event.id = d.event_id
left join lateral (
  select try, status_code, error from delivery_tries where delivery_id = d.id
  order by try desc limit 1
) last on true`;

/** With the body that each try sends; null: a test, which stores none. Throws `not_found`. */
export async function findDelivery(sql: Sql, { tenantId, mode }: Reader, id: string) {
  const [row] = await sql.query<DeliveryRow & { body: string | null }>(
    `${deliveriesFrom('deliveries', ', event.body')} where d.id = $1 and d.tenant_id = $2 and d.mode = $3`,
    [id, tenantId, mode],
  );
  if (!row) throw noSuchDelivery();
  return row;
}

const MAX_TRIES = 100;

/** Tries that are still stored, oldest first. */
export function triesOf(sql: Sql, id: string): Promise<TryRow[]> {
  return sql.query<TryRow>(
    `select try, at, duration_ms, status_code, error, answer from delivery_tries
     where delivery_id = $1 order by try limit ${MAX_TRIES}`,
    [id],
  );
}

export interface DeliveryQuery {
  endpointId: string | undefined;
  eventId: string | undefined;
  status: DeliveryStatus | undefined;
  before: string;
  limit: number;
}

/**
 * Newest first, before an id, also of deleted endpoints. Few rows are read, however many there are.
 */
export async function listDeliveries(sql: Sql, { tenantId, mode }: Reader, query: DeliveryQuery) {
  const { endpointId = null, eventId = null, status, before, limit } = query;
  const statuses = status ? [status] : deliveryStatuses;
  const values = { tenantId, mode, before, limit, endpointId, statuses };
  const rows = await (eventId === null
    ? listOfEndpoints(sql, values)
    : listOfEvent(sql, { ...values, eventId }));
  return rows.sort((one, other) => (one.id < other.id ? 1 : -1));
}

const listOfEvent = statement<DeliveryRow>(`
${deliveriesFrom('deliveries')}
where d.event_id = :eventId and d.tenant_id = :tenantId and d.mode = :mode and d.id < :before
  and (:endpointId::text is null or d.endpoint_id = :endpointId) and d.status = any(:statuses)
order by d.id desc limit :limit`);

/** Each from its own end of the index. */
const listOfEndpoints = statement<DeliveryRow>(`
${deliveriesFrom('deliveries')}
where d.id = any(array(
  select found.id from webhook_endpoints endpoint
  cross join unnest(:statuses::text[]) as wanted (status), lateral (
    select id from deliveries
    where (endpoint_id, status, id) < (endpoint.id, wanted.status, :before)
      and (endpoint_id, status, id) >= (endpoint.id, wanted.status, '')
    order by endpoint_id desc, status desc, id desc limit :limit
  ) found
  where endpoint.tenant_id = :tenantId and endpoint.mode = :mode
    and (:endpointId::text is null or endpoint.id = :endpointId)
  order by found.id desc limit :limit))`);
