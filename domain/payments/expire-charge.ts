import type { Job } from '../jobs.ts';
import type { Tx } from '../shared/tx.ts';
import { advanceCharge } from './apply.ts';
import { sentLiveAttemptStatuses } from './attempt/transitions.ts';
import { lockCharge } from './charge/store.ts';

/** When a charge ends: when its time is over, or when the merchant asked to cancel it. */
const ENDS_AT = 'least(c.expires_at, c.cancel_requested_at)';

/** Attempts a provider may know of: while one of them was not asked about since the charge's end, silence could hide money. */
const UNASKED = `exists (
  select 1 from attempts a where a.charge_id = c.id and a.status in (${sentLiveAttemptStatuses.map((status) => `'${status}'`).join(', ')})
    and (a.verified_at is null or a.verified_at < ${ENDS_AT}))`;

/**
 * Fails a charge whose end has come, but only once every payment that could still hold money was asked about after that and the
 * provider answered. Silence never fails a charge.
 */
export async function expireWhenAnswered(tx: Tx, chargeId: string): Promise<Job[]> {
  if (!(await findAnsweredEnd(tx, chargeId))) return [];
  // Housekeeping comes without the charge's lock, and at this very moment a payment may be on its way to a provider.
  await lockCharge(tx, chargeId);
  const end = await findAnsweredEnd(tx, chargeId);
  if (!end) return [];
  return advanceCharge(
    tx,
    chargeId,
    end.cancelled
      ? { type: 'cancelled', message: 'The merchant cancelled the charge.' }
      : { type: 'expired', message: 'The payment was not made in time.' },
  );
}

/** How a charge ends that has nothing left to ask about; undefined: its end has not come, or a provider has not answered since. */
async function findAnsweredEnd(
  { sql, now }: Tx,
  chargeId: string,
): Promise<{ cancelled: boolean } | undefined> {
  const [end] = await sql.query<{ cancelled: boolean }>(
    `select coalesce(c.cancel_requested_at < c.expires_at, false) as cancelled from charges c
     where c.id = $1 and c.status in ('initiated', 'pending') and ${ENDS_AT} <= $2 and not ${UNASKED}`,
    [chargeId, now],
  );
  return end;
}

/** Charges past their end, oldest first, that housekeeping has to look at. */
export async function overdueCharges(
  { sql, now }: Pick<Tx, 'sql' | 'now'>,
  limit: number,
): Promise<{ id: string }[]> {
  return sql.query<{ id: string }>(
    `select id from charges c where status in ('initiated', 'pending') and (expires_at <= $1 or cancel_requested_at <= $1)
       and not ('underpaid' = any(review)) and not ${UNASKED} order by ${ENDS_AT} limit $2`,
    [now, limit],
  );
}
