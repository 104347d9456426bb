import type { Tx } from '../../shared/tx.ts';
import type { EndpointRow } from './secrets.ts';

export type DisabledReason = NonNullable<EndpointRow['disabled_reason']>;

/** Deliveries cancelled in one statement. Any others are cancelled when they are due. */
const MAX_CANCELLED = 20_000;

/**
 * An endpoint may have missed events from this long before it was disabled: a concurrent change
 * writes an event with an earlier time when the endpoint is disabled already, and a failed try ends
 * before its failure is recorded.
 */
const CONCURRENT_CHANGES = `interval '1 minute'`;

/**
 * Disables an endpoint and cancels the deliveries that wait for it. These, and those that failed
 * since it began to fail, count as missed. Does nothing to an endpoint that is disabled, nor, when
 * the reason is its failures, to one that has succeeded since they were counted.
 */
export async function disableEndpoint(
  { sql, now }: Pick<Tx, 'sql' | 'now'>,
  id: string,
  reason: DisabledReason,
): Promise<void> {
  await sql.query(DISABLE, [id, now, reason]);
}

/**
 * SQL: when the oldest event of the endpoint's deliveries of a kind happened. A resend is a new
 * delivery of an old event.
 */
const oldestEventOf = (kind: string) => `(
  select created_at from events where id = (
    select min(event_id) from (
      select event_id from deliveries d
      where d.endpoint_id = endpoint.id and ${kind} order by d.id limit ${MAX_CANCELLED}
    ) found))`;

const DISABLE = `
with disabled as (
  update webhook_endpoints endpoint set status = 'disabled', disabled_at = $2, disabled_reason = $3,
    missed_since = greatest(created_at, least(
      missed_since, $2::timestamptz - ${CONCURRENT_CHANGES},
      ${oldestEventOf(`d.status = 'pending'`)},
      ${oldestEventOf(`d.status = 'exhausted'
        and d.finished_at >= endpoint.failing_since - ${CONCURRENT_CHANGES}`)}))
  where id = $1 and status = 'enabled' and ($3 <> 'failing' or failing_since is not null)
  returning id
), waiting as (
  select d.id from disabled, lateral (
    select id from deliveries where endpoint_id = disabled.id and status = 'pending'
    order by id limit ${MAX_CANCELLED} for update
  ) d
)
update deliveries set status = 'cancelled', due_at = null, finished_at = $2
where id = any(array(select id from waiting))`;

/**
 * Records an endpoint's first failure since its last success. A success clears it (`recordTries`).
 */
export async function recordFailure(
  { sql, now }: Pick<Tx, 'sql' | 'now'>,
  id: string,
): Promise<void> {
  await sql.query(
    'update webhook_endpoints set failing_since = $2 where id = $1 and failing_since is null',
    [id, now],
  );
}
