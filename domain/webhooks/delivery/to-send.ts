import type { DueRow } from '../../jobs.ts';
import type { ClaimedRow } from '../../shared/due-rows.ts';
import type { Mode } from '../../shared/reader.ts';
import { plainArray, type Sql } from '../../shared/sql.ts';
import type { OldSecret } from '../endpoint/secrets.ts';

/** A delivery as its worker claims it. */
export interface ClaimedDelivery extends ClaimedRow {
  tenant_id: string;
  mode: Mode;
  endpoint_id: string;
  event_id: string;
  resend_of: string | null;
}

/** The same, with all that is needed to send it. */
export interface DeliveryToSend extends ClaimedDelivery {
  body: string;
  event_at: Date;
  /** Tries on record, and when the first of them was made. */
  made: number;
  first_at: Date | null;
  url: string;
  secret: string;
  old_secrets: OldSecret[];
  endpoint_status: 'enabled' | 'disabled';
  failing_since: Date | null;
}

/**
 * Loads event, endpoint and earlier tries of claimed deliveries, in their order, in one statement.
 */
export async function loadDeliveries(
  sql: Sql,
  claimed: readonly ClaimedDelivery[],
): Promise<DeliveryToSend[]> {
  const rows = await sql.query<DeliveryToSend>(LOAD, [
    plainArray(claimed.map(({ id }) => id)),
    plainArray(claimed.map(({ tries }) => tries)),
    plainArray(claimed.map(({ event_id }) => event_id)),
    plainArray(claimed.map(({ endpoint_id }) => endpoint_id)),
  ]);
  const loaded = new Map(rows.map((row) => [row.id, row]));
  return claimed.map((delivery) => ({ ...loaded.get(delivery.id)!, ...delivery }));
}

const LOAD = `
select claimed.id, event.body, event.created_at as event_at, endpoint.url, endpoint.secret,
  endpoint.old_secrets, endpoint.status as endpoint_status, endpoint.failing_since,
  tried.made, tried.first_at
from unnest($1::text[], $2::int[], $3::text[], $4::text[])
  as claimed (id, tries, event_id, endpoint_id)
join events event on event.id = claimed.event_id
join webhook_endpoints endpoint on endpoint.id = claimed.endpoint_id
cross join lateral (
  select count(*)::int as made, min(at) as first_at from delivery_tries
  where claimed.tries > 1 and delivery_id = claimed.id
) tried`;

/** Makes snoozed deliveries due now, unless they were claimed since. Returns those to enqueue. */
export function makeDeliveriesDue(
  sql: Sql,
  waiting: readonly DueRow[],
  now: Date,
): Promise<DueRow[]> {
  return sql.query<DueRow>(
    `with waiting as materialized (
       select d.id from deliveries d
       join unnest($1::text[], $2::int[]) as wanted (id, tries)
         on d.id = wanted.id and d.tries = wanted.tries
       where d.status = 'pending' order by d.id for update of d
     )
     update deliveries d set due_at = $3
     from waiting where d.id = waiting.id returning d.id, d.tries`,
    [...idsAndTries(waiting), now],
  );
}

/** Cancels claimed deliveries, which sends nothing and costs no try. */
export async function cancelDeliveries(
  sql: Sql,
  claimed: readonly DueRow[],
  now: Date,
): Promise<void> {
  await sql.query(
    `with claimed as materialized (
       select d.id from deliveries d
       join unnest($1::text[], $2::int[]) as wanted (id, tries)
         on d.id = wanted.id and d.tries = wanted.tries
       where d.status = 'pending' order by d.id for update of d
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
