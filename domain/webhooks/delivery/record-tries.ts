import { plainArray, type Sql, statement } from '../../shared/sql.ts';
import type { TryDecision } from './decide-try.ts';
import type { DeliveryToSend } from './to-send.ts';

export interface Try {
  at: Date;
  durationMs: number;
  statusCode: number | null;
  error: string | null;
  answer: string | null;
}

export interface EndedTry {
  delivery: DeliveryToSend;
  made: Try;
  endedAt: Date;
  decision: TryDecision;
}

/**
 * Records tries whatever happened to their deliveries, which only their own claim changes; one that
 * arrived counts though it was cancelled. A success clears its endpoint's failures. Safe to repeat.
 */
export async function recordTries(sql: Sql, ended: readonly EndedTry[]): Promise<void> {
  await record(sql, {
    ids: plainArray(ended.map(({ delivery }) => delivery.id)),
    tries: plainArray(ended.map(({ delivery }) => delivery.tries)),
    statuses: plainArray(ended.map(({ decision }) => decision.status)),
    dueAt: plainArray(ended.map(({ decision }) => decision.dueAt)),
    finishedAt: plainArray(ended.map(({ decision, endedAt }) => (decision.dueAt ? null : endedAt))),
    endpointIds: plainArray(ended.map(({ delivery }) => delivery.endpoint_id)),
    at: plainArray(ended.map(({ made }) => made.at)),
    durationsMs: plainArray(ended.map(({ made }) => made.durationMs)),
    statusCodes: plainArray(ended.map(({ made }) => made.statusCode)),
    errors: ended.map(({ made }) => made.error),
    answers: ended.map(({ made }) => made.answer),
    sinceEventMs: plainArray(ended.map(sinceEventMs)),
  });
}

const MAX_INTEGER = 2 ** 31 - 1;

/** Null for later tries and resends. */
function sinceEventMs({ delivery, endedAt }: EndedTry): number | null {
  if (delivery.made > 0 || delivery.resend_of !== null) return null;
  return Math.min(Math.max(0, endedAt.getTime() - delivery.event_at.getTime()), MAX_INTEGER);
}

const record = statement(`
with given as materialized (
  select * from unnest(
      :ids::text[], :tries::int[], :statuses::text[], :dueAt::timestamptz[],
      :finishedAt::timestamptz[], :endpointIds::text[], :at::timestamptz[], :durationsMs::int[],
      :statusCodes::int[], :errors::text[], :answers::text[], :sinceEventMs::int[]
    ) as given (
      id, tries, status, due_at, finished_at, endpoint_id,
      at, duration_ms, status_code, error, answer, since_event_ms)
  order by id collate "C"
), tried as (
  insert into delivery_tries (
    delivery_id, endpoint_id, try, at, duration_ms, status_code, error, answer, since_event_ms)
  select given.id, endpoint_id,
    known.tries + row_number() over (partition by given.id order by at),
    at, duration_ms, status_code, error, answer, since_event_ms
  from given
  cross join lateral (
    select count(*) as tries, coalesce(bool_or(made.at = given.at), false) as is_recorded
    from delivery_tries made where delivery_id = given.id
  ) known
  where not known.is_recorded
), succeeded as (
  update webhook_endpoints set failing_since = null where failing_since is not null and id in (
    select endpoint_id from given where status_code between 200 and 299)
), ended as materialized (
  select d.id, given.status, given.due_at, given.finished_at
  from given cross join lateral (
    select id, status from deliveries where id = given.id and tries = given.tries for update) d
  where d.status = 'pending' or (d.status = 'cancelled' and given.status = 'delivered')
)
update deliveries d
set status = ended.status, due_at = ended.due_at, finished_at = ended.finished_at
from ended where d.id = ended.id`);
