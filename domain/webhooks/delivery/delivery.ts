import type { RowOf } from '../../shared/columns.ts';
import { Problem } from '../../shared/problems.ts';
import type { Reader } from '../../shared/reader.ts';
import { type Database, type Sql, statement } from '../../shared/sql.ts';
import { walkingIndexes } from '../../shared/walking-indexes.ts';
import { type Delivery, type DeliveryTry, deliveryStatuses } from '../entities/delivery.ts';
import type { EventType } from '../event/publish.ts';

export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** The delivery of one event to one endpoint, and the result of its last try. */
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
  /** Null, like its event: a test delivery. */
  event_type: EventType | null;
  try_count: number;
  last_status_code: number | null;
  last_error: string | null;
};

/** A try as it is recorded. */
export type TryRow = Pick<
  RowOf<typeof DeliveryTry>,
  'try' | 'at' | 'duration_ms' | 'status_code' | 'error' | 'answer'
>;

/** Deliveries and their status can be read for this long. */
export const DELIVERIES_KEPT_DAYS = 90;

export const noSuchDelivery = () =>
  new Problem('not_found', 'There is no delivery with this id in this mode.');

/**
 * Selects deliveries from `source` with their event's type and their last try. Tries are stored for
 * a shorter time than their delivery, whose counters then say how many there were.
 */
const deliveriesFrom = (source: string) => `
select d.id, d.endpoint_id, d.event_id, event.type as event_type, d.mode, d.status, d.resend_of,
  d.due_at, d.finished_at, d.created_at,
  coalesce(last.try,
    case when d.status = 'pending' then 0 else d.tries - d.snoozes end) as try_count,
  last.status_code as last_status_code, last.error as last_error
from ${source} d
left join events event on event.id = d.event_id
left join lateral (
  select try, status_code, error from delivery_tries where delivery_id = d.id
  order by try desc limit 1
) last on true`;

/** The delivery of this tenant and mode. Throws `not_found`. */
export async function findDelivery(
  sql: Sql,
  { tenantId, mode }: Reader,
  id: string,
): Promise<DeliveryRow> {
  const [row] = await sql.query<DeliveryRow>(
    `${deliveriesFrom('deliveries')} where d.id = $1 and d.tenant_id = $2 and d.mode = $3`,
    [id, tenantId, mode],
  );
  if (!row) throw noSuchDelivery();
  return row;
}

/** More tries than any schedule makes. */
const MAX_TRIES = 100;

/** Every try of a delivery that is still stored, oldest first. */
export function triesOf(sql: Sql, id: string): Promise<TryRow[]> {
  return sql.query<TryRow>(
    `select try, at, duration_ms, status_code, error, answer from delivery_tries
     where delivery_id = $1 order by try limit ${MAX_TRIES}`,
    [id],
  );
}

/**
 * Which deliveries to list: newest first, at most `limit`, with ids that sort before `before`. An
 * undefined filter selects all.
 */
export interface DeliveryQuery {
  endpointId: string | undefined;
  eventId: string | undefined;
  status: DeliveryStatus | undefined;
  before: string;
  limit: number;
}

/**
 * The tenant's deliveries in this mode, also to endpoints that were deleted since. However many
 * there are, few rows are read for a page.
 */
export async function listDeliveries(
  db: Database,
  { tenantId, mode }: Reader,
  query: DeliveryQuery,
): Promise<DeliveryRow[]> {
  const { endpointId = null, eventId = null, status, before, limit } = query;
  const statuses = status ? [status] : deliveryStatuses;
  const values = { tenantId, mode, before, limit, endpointId, statuses };
  const rows = await (eventId === null
    ? walkingIndexes(db, (sql) => listOfEndpoints(sql, values))
    : listOfEvent(db, { ...values, eventId }));
  return rows.sort((one, other) => (one.id < other.id ? 1 : -1));
}

/** An event has few deliveries: one for each endpoint, and resends. */
const listOfEvent = statement<DeliveryRow>(`
${deliveriesFrom('deliveries')}
where d.event_id = :eventId and d.tenant_id = :tenantId and d.mode = :mode and d.id < :before
  and (:endpointId::text is null or d.endpoint_id = :endpointId) and d.status = any(:statuses)
order by d.id desc limit :limit`);

/** One endpoint and one status at a time, each from its own end of the index. */
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
