import type { Sql } from '../../domain/shared/sql.ts';

/** Rows that are not final and have no due time, so that no worker would look at them again. */
export function forgottenRows(
  sql: Pick<Sql, 'query'>,
  now: Date,
  chargeId: string | null = null,
): Promise<{ what: string }[]> {
  return sql.query(FORGOTTEN, [chargeId, now]);
}

const FORGOTTEN = `
with attempt as (
  select a.*, c.status as charge_status, c.failed_at, c.review,
    least(c.expires_at, c.cancel_requested_at) as ends_at,
    (select max(recorded_at) from captures k where k.attempt_id = a.id) as paid_at
  from attempts a join charges c on c.id = a.charge_id
  where $1::text is null or a.charge_id = $1
)
select concat('attempt ', status, ', charge ', charge_status) as what from attempt
where due_at is null and (
  status in ('queued', 'sending', 'unconfirmed')
  or (status in ('open', 'lost', 'declined', 'expired') and charge_status <> 'failed'
    and (verified_at is null or verified_at < ends_at))
  or (status = 'captured' and charge_status in ('initiated', 'pending')
    and ('underpaid' = any(review) or verified_at is null or verified_at < ends_at))
  or (status in ('open', 'lost', 'declined', 'expired', 'captured') and charge_status = 'failed'
    and failed_at > $2::timestamptz - interval '72 hours'))
union all
select concat('refund ', status) from refunds
where ($1::text is null or charge_id = $1) and due_at is null and (
  status in ('approved', 'sending', 'unconfirmed', 'processing')
  or (status in ('unresolved', 'needs_attention', 'reappeared')
    and coalesce(accepted_at, sent_at) > $2::timestamptz - interval '20 days'))`;
