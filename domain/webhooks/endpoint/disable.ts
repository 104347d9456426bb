import { mailMembers } from '../../accounts/member/mail-members.ts';
import type { Tx } from '../../shared/tx.ts';
import type { EndpointRow } from './secrets.ts';

export type DisabledReason = NonNullable<EndpointRow['disabled_reason']>;

/** Others are cancelled when they are due. */
const MAX_CANCELLED = 20_000;

/**
 * A concurrent change writes an event with an earlier time, and a failed try ends before its
 * record.
 */
const CONCURRENT_CHANGES = `interval '1 minute'`;

/**
 * Cancels what waits, which counts as missed, as do failures since it began to fail. Does nothing
 * to a disabled endpoint, or to one that has succeeded since (`failing`). Who looks after webhooks
 * is told by mail, unless a person did it.
 */
export async function disableEndpoint(tx: Tx, id: string, reason: DisabledReason): Promise<void> {
  const [disabled] = await tx.sql.query<Pick<EndpointRow, 'tenant_id' | 'mode'>>(DISABLE, [
    id,
    tx.now,
    reason,
  ]);
  if (!disabled || reason === 'by_hand') return;
  const { tenant_id: tenantId, mode } = disabled;
  await mailMembers(tx, 'develop', { tenantId, mode, kind: 'endpoint_disabled', subjectId: id });
}

/** SQL. A resend is a new delivery of an old event. */
const oldestEventOf = (kind: string) => `(
  select created_at from events
  where tenant_id = endpoint.tenant_id and mode = endpoint.mode and id = (
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
  returning id, tenant_id, mode
), waiting as (
  select d.id from disabled, lateral (
    select id from deliveries where endpoint_id = disabled.id and status = 'pending'
    order by id limit ${MAX_CANCELLED} for update
  ) d
), cancelled as (
  update deliveries set status = 'cancelled', due_at = null, finished_at = $2
  where id = any(array(select id from waiting))
)
select tenant_id, mode from disabled`;

/** A success clears it (`recordTries`). */
export async function recordFailure({ sql, now }: Pick<Tx, 'sql' | 'now'>, id: string) {
  await sql.query(
    'update webhook_endpoints set failing_since = $2 where id = $1 and failing_since is null',
    [id, now],
  );
}
