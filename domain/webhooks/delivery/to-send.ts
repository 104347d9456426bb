import type { DueRow } from '../../jobs.ts';
import type { RowOf } from '../../shared/columns.ts';
import type { ClaimedRow } from '../../shared/due-rows.ts';
import { plainArray, type Sql } from '../../shared/sql.ts';
import type { EndpointRow } from '../endpoint/secrets.ts';
import type { Delivery } from '../entities/delivery.ts';
import type { Event } from '../entities/event.ts';

export type DeliveryToSend = ClaimedRow &
  Pick<RowOf<typeof Delivery>, 'tenant_id' | 'mode' | 'endpoint_id' | 'resend_of'> &
  Pick<RowOf<typeof Event>, 'body' | 'subject_id'> &
  Pick<EndpointRow, 'url' | 'secret' | 'old_secrets' | 'failing_since'> & {
    event_id: string;
    event_at: Date;
    made: number;
    first_at: Date | null;
    endpoint_status: EndpointRow['status'];
  };

/** Part of the claim. */
export const SELECT_DELIVERIES_TO_SEND = `
select claimed.id, claimed.tries, claimed.snoozes, claimed.failures, claimed.due_since,
  claimed.tenant_id, claimed.mode, claimed.endpoint_id, claimed.event_id, claimed.resend_of,
  event.body, event.subject_id, event.created_at as event_at, endpoint.url, endpoint.secret, endpoint.old_secrets,
  endpoint.status as endpoint_status, endpoint.failing_since, tried.made, tried.first_at
from claimed
join events event on event.tenant_id = claimed.tenant_id and event.mode = claimed.mode
  and event.id = claimed.event_id
join webhook_endpoints endpoint on endpoint.id = claimed.endpoint_id
cross join lateral (
  select count(*)::int as made, min(at) as first_at from delivery_tries
  where claimed.tries > 1 and delivery_id = claimed.id
) tried`;

/** Sends nothing and costs no try. */
export async function cancelDeliveries(sql: Sql, claimed: readonly DueRow[], now: Date) {
  await sql.query(
    `with claimed as materialized (
       select d.id from (
         select * from unnest($1::text[], $2::int[]) as wanted (id, tries) order by id collate "C"
       ) wanted cross join lateral (
         select id, status from deliveries where id = wanted.id and tries = wanted.tries for update
       ) d
       where d.status = 'pending'
     )
     update deliveries d
     set status = 'cancelled', due_at = null, finished_at = $3, snoozes = d.snoozes + 1
     from claimed where d.id = claimed.id`,
    [...idsAndTries(claimed), now],
  );
}

const idsAndTries = (rows: readonly DueRow[]) => [
  plainArray(rows.map(({ id }) => id)),
  plainArray(rows.map(({ tries }) => tries)),
];
