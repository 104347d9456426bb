import type { Sql } from '../../shared/sql.ts';

/** The results of recent deliveries. */
export interface DeliveryFigures {
  /**
   * Tries by result: `delivered`, `refused` (an answer other than 2xx), `unanswered`.
   */
  tries: { outcome: string; tries: number }[];
  /** Deliveries that ended, by their status. */
  ended: { status: string; deliveries: number }[];
  /** Time from an event to the end of its first try, in ms; null: there was no try. */
  firstTryMs: { p50: number | null; p99: number | null };
  /** The endpoints with the most failures, at most `MAX_ENDPOINTS`. */
  failing: { endpoint_id: string; tries: number; failed: number }[];
}

const MAX_ENDPOINTS = 50;

/** Counts the tries made and the deliveries ended since `since`, of all tenants. */
export async function deliveryFigures(sql: Sql, since: Date): Promise<DeliveryFigures> {
  const [tries, ended, [firstTryMs], failing] = await Promise.all([
    sql.query<DeliveryFigures['tries'][number]>(TRIES, [since]),
    sql.query<DeliveryFigures['ended'][number]>(ENDED, [since]),
    sql.query<DeliveryFigures['firstTryMs']>(FIRST_TRY, [since]),
    sql.query<DeliveryFigures['failing'][number]>(FAILING, [since]),
  ]);
  return { tries, ended, firstTryMs: firstTryMs!, failing };
}

const TRIES = `
select outcome, count(status) as tries
from unnest(array['delivered', 'refused', 'unanswered']) outcome
left join lateral (
  select coalesce(status_code, 0) as status from delivery_tries
  where at >= $1 and outcome = case
    when status_code between 200 and 299 then 'delivered'
    when status_code is null then 'unanswered'
    else 'refused' end
) made on true
group by outcome order by outcome`;

const ENDED = `
select wanted as status, count(d.id) as deliveries
from unnest(array['delivered', 'exhausted', 'cancelled']) wanted
left join deliveries d on d.status = wanted and d.finished_at >= $1
group by wanted order by wanted`;

const FIRST_TRY = `
select percentile_disc(0.5) within group (order by since_event_ms) as p50,
  percentile_disc(0.99) within group (order by since_event_ms) as p99
from delivery_tries where at >= $1 and since_event_ms is not null`;

const FAILED = 'count(*) filter (where status_code is null or status_code not between 200 and 299)';

const FAILING = `
select endpoint_id, count(*) as tries, ${FAILED} as failed from delivery_tries
where at >= $1 and endpoint_id is not null
group by endpoint_id having ${FAILED} > 0 order by failed desc, endpoint_id limit ${MAX_ENDPOINTS}`;
