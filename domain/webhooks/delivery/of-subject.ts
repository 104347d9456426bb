import type { Reader } from '../../shared/reader.ts';
import type { Sql } from '../../shared/sql.ts';
import { type EventType, firstEventIdOf } from '../event/publish.ts';
import type { DeliveryStatus } from './delivery.ts';

/** Where no endpoint wanted it, the event alone. */
export interface SubjectDelivery {
  event_id: string;
  event_type: EventType;
  event_at: Date;
  id: string | null;
  url: string | null;
  status: DeliveryStatus | null;
  resend_of: string | null;
  due_at: Date | null;
  finished_at: Date | null;
  try_count: number | null;
  last_status_code: number | null;
  last_error: string | null;
}

const MOST = 100;

/** Newest first. */
export function deliveriesOfSubjects(
  sql: Sql,
  { tenantId, mode }: Reader,
  subjectIds: readonly string[],
): Promise<SubjectDelivery[]> {
  return sql.query<SubjectDelivery>(
    `select e.id as event_id, e.type as event_type, e.created_at as event_at,
       d.id, endpoint.url, d.status, d.resend_of, d.due_at, d.finished_at,
       coalesce(last.try, 0) as try_count, last.status_code as last_status_code,
       last.error as last_error
     from events e
       left join deliveries d on d.event_id = e.id
       left join webhook_endpoints endpoint on endpoint.id = d.endpoint_id
       left join lateral (
         select try, status_code, error from delivery_tries
         where delivery_id = d.id order by try desc limit 1) last on true
     where e.subject_id = any($3) and e.tenant_id = $1 and e.mode = $2 and e.id >= $4
     order by e.id desc, d.id desc limit ${MOST}`,
    [tenantId, mode, subjectIds, subjectIds.map(firstEventIdOf).sort()[0] ?? ''],
  );
}
