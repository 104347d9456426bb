import type { DueRow } from '../../jobs.ts';
import type { Mode } from '../../shared/reader.ts';
import { plainArray, type Sql } from '../../shared/sql.ts';
import type { OldSecret } from '../endpoint/secrets.ts';

/** A delivery in hand, with all that is needed to send it. */
export interface ClaimedDelivery extends DueRow {
  tenant_id: string;
  mode: Mode;
  endpoint_id: string;
  event_id: string;
  resend_of: string | null;
  body: string;
  event_at: Date;
  /** Tries on record, and when the first of them was made. */
  made: number;
  first_at: Date | null;
  url: string;
  secret: string;
  old_secrets: OldSecret[];
  /** Of the endpoint. */
  status: 'enabled' | 'disabled';
  failing_since: Date | null;
}

/** How long a claim may be early: rows are due by one process's clock and claimed by another's. */
const CLOCK_SLACK_MS = 1_000;

/**
 * Claims deliveries, many in one statement: what is returned is this caller's until `leaseUntil`. Rows are locked in the order of their
 * ids, so that two claims at once never wait for each other in a circle, and found by them, never by their due time: a planner that has
 * not seen a backlog grow would read all of it for every claim. Hence the `coalesce`, which no index answers.
 */
export function claimDeliveries(
  sql: Sql,
  due: readonly DueRow[],
  now: Date,
  leaseUntil: Date,
): Promise<ClaimedDelivery[]> {
  return sql.query<ClaimedDelivery>(CLAIM, [
    plainArray(due.map(({ id }) => id)),
    plainArray(due.map(({ tries }) => tries)),
    now,
    leaseUntil,
  ]);
}

const CLAIM = `
with due as materialized (
  select d.id from deliveries d join unnest($1::text[], $2::int[]) as wanted (id, tries) on d.id = wanted.id and d.tries = wanted.tries
  where d.status = 'pending' and coalesce(d.due_at, 'infinity') <= $3::timestamptz + interval '${CLOCK_SLACK_MS} milliseconds'
  order by d.id for update of d
), claimed as (
  update deliveries d set tries = d.tries + 1, enqueues = 0, enqueued_at = null, due_at = $4 from due where d.id = due.id
  returning d.id, d.tries, d.tenant_id, d.mode, d.endpoint_id, d.event_id, d.resend_of
)
select claimed.*, event.body, event.created_at as event_at, endpoint.url, endpoint.secret, endpoint.old_secrets, endpoint.status,
  endpoint.failing_since, tried.made, tried.first_at
from claimed
join events event on event.id = claimed.event_id
join webhook_endpoints endpoint on endpoint.id = claimed.endpoint_id
cross join lateral (
  select count(*)::int as made, min(at) as first_at from delivery_tries where claimed.tries > 1 and delivery_id = claimed.id
) tried`;

/**
 * Makes deliveries due now that were put back, unless somebody else has taken them since; many in one statement. Returns those to ring for.
 */
export function callDeliveries(sql: Sql, waiting: readonly DueRow[], now: Date): Promise<DueRow[]> {
  return sql.query<DueRow>(
    `with called as materialized (
       select d.id from deliveries d join unnest($1::text[], $2::int[]) as wanted (id, tries) on d.id = wanted.id and d.tries = wanted.tries
       where d.status = 'pending' order by d.id for update of d
     )
     update deliveries d set due_at = $3 from called where d.id = called.id returning d.id, d.tries`,
    [plainArray(waiting.map(({ id }) => id)), plainArray(waiting.map(({ tries }) => tries)), now],
  );
}

/** One POST to an endpoint, as it is put on record. */
export interface Try {
  at: Date;
  durationMs: number;
  /** Null: no answer. */
  statusCode: number | null;
  error: string | null;
  answer: string | null;
}

/** What became of a claimed delivery. */
export interface Ending {
  delivery: ClaimedDelivery;
  status: 'pending' | 'delivered' | 'exhausted' | 'cancelled';
  /** When it is tried again; null: never. */
  dueAt: Date | null;
  /** Null: nothing was sent, and the claim cost no try. */
  made: Try | null;
  endedAt: Date;
}

/**
 * Puts endings on record, many in one statement; done twice, it is done once. A try is logged whatever happened to its delivery meanwhile;
 * the delivery itself is changed only by the claim it belongs to, and one that arrived is delivered also if it was cancelled on its way. A
 * success ends its endpoint's failures.
 */
export async function recordEndings(sql: Sql, endings: readonly Ending[]): Promise<void> {
  await sql.query(RECORD, [
    plainArray(endings.map(({ delivery }) => delivery.id)),
    plainArray(endings.map(({ delivery }) => delivery.tries)),
    plainArray(endings.map(({ status }) => status)),
    plainArray(endings.map(({ dueAt }) => dueAt)),
    plainArray(endings.map(({ status, endedAt }) => (status === 'pending' ? null : endedAt))),
    plainArray(endings.map(({ delivery }) => delivery.endpoint_id)),
    plainArray(endings.map(({ made }) => made?.at)),
    plainArray(endings.map(({ made }) => made?.durationMs)),
    plainArray(endings.map(({ made }) => made?.statusCode)),
    endings.map(({ made }) => made?.error),
    endings.map(({ made }) => made?.answer),
    plainArray(endings.map(sinceEventMs)),
  ]);
}

const MOST_INTEGER = 2 ** 31 - 1;

function sinceEventMs({ delivery, made, endedAt }: Ending): number | null {
  if (made === null || delivery.made > 0 || delivery.resend_of !== null) return null;
  return Math.min(Math.max(0, endedAt.getTime() - delivery.event_at.getTime()), MOST_INTEGER);
}

/** A claim without a time of sending sent nothing, and cost no try. */
const RECORD = `
with given as materialized (
  select * from unnest($1::text[], $2::int[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::text[], $7::timestamptz[], $8::int[],
    $9::int[], $10::text[], $11::text[], $12::int[])
    as given (id, tries, status, due_at, finished_at, endpoint_id, at, duration_ms, status_code, error, answer, since_event_ms)
), logged as (
  insert into delivery_tries (delivery_id, endpoint_id, try, at, duration_ms, status_code, error, answer, since_event_ms)
  select given.id, endpoint_id, 1 + known.tries, at, duration_ms, status_code, error, answer, since_event_ms
  from given
  cross join lateral (
    select count(*) as tries, coalesce(bool_or(made.at = given.at), false) as is_logged from delivery_tries made where delivery_id = given.id
  ) known
  where at is not null and not known.is_logged
), healed as (
  update webhook_endpoints set failing_since = null where failing_since is not null and id in (
    select endpoint_id from given where status_code between 200 and 299)
), ended as materialized (
  select d.id, given.status, given.due_at, given.finished_at, case when given.at is null then 1 else 0 end as snoozes
  from deliveries d join given on d.id = given.id and d.tries = given.tries
  where d.status = 'pending' or (d.status = 'cancelled' and given.status = 'delivered') order by d.id for update of d
)
update deliveries d set status = ended.status, due_at = ended.due_at, finished_at = ended.finished_at, snoozes = d.snoozes + ended.snoozes
from ended where d.id = ended.id`;
