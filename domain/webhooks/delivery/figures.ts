import type { Sql } from '../../shared/sql.ts';

export interface DeliveryFigures {
  /** `refused`: not 2xx. */
  tries: { outcome: string; tries: number }[];
  ended: { status: string; deliveries: number }[];
  /** From the event to the end of its first try; null: no try. */
  firstTryMs: { p50: number | null; p99: number | null };
  failing: { endpoint_id: string; tries: number; failed: number }[];
}

const MAX_ENDPOINTS = 50;

/** The newest rows of each figure; counts are scaled up from the time they cover. */
const MAX_READ = 10_000;

/** Counts for all tenants. */
export async function deliveryFigures(
  sql: Sql,
  since: Date,
  now: Date,
  maxRead = MAX_READ,
): Promise<DeliveryFigures> {
  const [[tried], [ended]] = await Promise.all([
    sql.query<TriedFigures>(TRIED, [since, maxRead]),
    sql.query<EndedFigures>(ENDED, [since, maxRead]),
  ]);
  const { delivered, refused, unanswered, p50, p99, failing } = tried!;
  const scaled = (count: number, of: Read) => Math.round(count * scaleOf(of, since, now, maxRead));
  return {
    tries: Object.entries({ delivered, refused, unanswered }).map(([outcome, tries]) => ({
      outcome,
      tries: scaled(tries, tried!),
    })),
    ended: [
      { status: 'delivered', deliveries: scaled(delivered, tried!) },
      { status: 'exhausted', deliveries: scaled(ended!.exhausted, ended!) },
      { status: 'cancelled', deliveries: scaled(ended!.cancelled, ended!) },
    ],
    firstTryMs: { p50, p99 },
    failing,
  };
}

interface Read {
  read: number;
  oldest: Date | null;
}

function scaleOf({ read, oldest }: Read, since: Date, now: Date, maxRead: number): number {
  if (read < maxRead || oldest === null) return 1;
  return (now.getTime() - since.getTime()) / Math.max(1, now.getTime() - oldest.getTime());
}

interface TriedFigures extends Read {
  delivered: number;
  refused: number;
  unanswered: number;
  p50: number | null;
  p99: number | null;
  failing: DeliveryFigures['failing'];
}

const OK = 'status_code between 200 and 299';

/** A try that arrived ends its delivery. */
const TRIED = `
with tried as materialized (
  select at, endpoint_id, since_event_ms, status_code from delivery_tries
  where at >= $1 order by at desc limit $2
), failing as (
  select endpoint_id, count(*) as tries, count(*) filter (where (${OK}) is not true) as failed
  from tried where endpoint_id is not null
  group by endpoint_id having bool_or((${OK}) is not true)
  order by failed desc, endpoint_id limit ${MAX_ENDPOINTS}
)
select count(*)::int as read, min(at) as oldest,
  count(*) filter (where ${OK})::int as delivered,
  count(*) filter (where status_code is not null and not ${OK})::int as refused,
  count(*) filter (where status_code is null)::int as unanswered,
  percentile_disc(0.5) within group (order by since_event_ms) as p50,
  percentile_disc(0.99) within group (order by since_event_ms) as p99,
  (select coalesce(json_agg(failing), '[]') from failing) as failing
from tried`;

interface EndedFigures extends Read {
  exhausted: number;
  cancelled: number;
}

const ENDED = `
with ended as materialized (
  select finished_at, status from deliveries
  where finished_at >= $1 and status in ('exhausted', 'cancelled')
  order by finished_at desc limit $2
)
select count(*)::int as read, min(finished_at) as oldest,
  count(*) filter (where status = 'exhausted')::int as exhausted,
  count(*) filter (where status = 'cancelled')::int as cancelled
from ended`;
