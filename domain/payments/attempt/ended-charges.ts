import type { Tx } from '../../shared/tx.ts';
import { sentLiveAttemptStatuses } from './transitions.ts';

/** When a charge ends: when it expires, or when the merchant asked to cancel it. */
const ENDS_AT = 'least(c.expires_at, c.cancel_requested_at)';

const SENT = sentLiveAttemptStatuses.map((status) => `'${status}'`).join(', ');

/** An attempt that may hold money, and whose provider has not answered since the charge's end. */
const UNANSWERED = `exists (
  select 1 from attempts a where a.charge_id = c.id and a.status in (${SENT})
    and (a.verified_at is null or a.verified_at < ${ENDS_AT}))`;

/**
 * How a charge ends whose providers have all answered since its end. Undefined: its end has not
 * come, or a provider has not answered since.
 */
export async function findAnsweredEnd(
  { sql, now }: Tx,
  chargeId: string,
): Promise<{ cancelled: boolean } | undefined> {
  const [end] = await sql.query<{ cancelled: boolean }>(
    `select coalesce(c.cancel_requested_at < c.expires_at, false) as cancelled from charges c
     where c.id = $1 and c.status in ('initiated', 'pending') and ${ENDS_AT} <= $2
       and not ${UNANSWERED}`,
    [chargeId, now],
  );
  return end;
}

/**
 * Charges that housekeeping expires: past their end, with every provider's answer. Those made first
 * come first, at most `limit`, with ids that sort after `after`. Materialized, or the planner might
 * walk the ids of all charges instead.
 */
export async function overdueCharges(
  { sql, now }: Pick<Tx, 'sql' | 'now'>,
  limit: number,
  after = '',
): Promise<{ id: string }[]> {
  return sql.query<{ id: string }>(
    `with overdue as materialized (
       select id from charges c where status in ('initiated', 'pending')
         and (expires_at <= $1 or cancel_requested_at <= $1)
         and not ('underpaid' = any(review)) and id > $3 and not ${UNANSWERED}
     )
     select id from overdue order by id limit $2`,
    [now, limit, after],
  );
}
