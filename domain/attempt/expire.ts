import { advanceCharge } from '../charge/advance.ts';
import type { Job } from '../jobs.ts';
import type { Phase } from '../phase.ts';

/** Attempts a provider may know of: while one of them was not asked since the charge's end, silence could hide money. */
const UNASKED = `exists (
  select 1 from attempts a where a.charge_id = c.id and a.sent_at is not null and a.status in ('sending', 'open', 'lost')
    and (a.verified_at is null or a.verified_at < c.expires_at))`;

/**
 * Fails a charge whose time is over, but only once every payment that could still hold money was asked about after that time and the
 * provider answered. Silence never fails a charge.
 */
export async function expireWhenQuiet(phase: Phase, chargeId: string): Promise<Job[]> {
  const [due] = await phase.sql.query(
    `select 1 from charges c where c.id = $1 and c.status in ('initiated', 'pending') and c.expires_at <= $2 and not ${UNASKED}`,
    [chargeId, phase.now],
  );
  if (!due) return [];
  return advanceCharge(phase, chargeId, { type: 'expired', message: 'The payment was not made in time.' });
}

/** Charges past their end, oldest first, that housekeeping has to look at. */
export async function overdueCharges({ sql, now }: Phase, limit: number): Promise<{ id: string }[]> {
  return sql.query<{ id: string }>(
    `select id from charges c where status in ('initiated', 'pending') and expires_at <= $1 and not ('underpaid' = any(review))
       and not ${UNASKED} order by expires_at limit $2`,
    [now, limit],
  );
}
