import { compareBooks } from '../discrepancy/compare.ts';
import { lagosDay } from '../lagos.ts';
import type { Phase } from '../phase.ts';
import { daysAfter, type SettlementAccount, takeTurn, termsOf } from './account.ts';
import { UNSETTLED } from './unsettled.ts';

/** Public holidays are not known, and two of them come one after the other every year: a payout may be late by this much. */
const GRACE_DAYS = 2;

const DIFFERENCES = `
  select 'missing' as kind, unsettled.id as subject, null as settlement_id, null as line_id, unsettled.charge_id, a.reference,
    abs(net_kobo) as amount_kobo, net_kobo as difference_kobo, settles_on::text as day, net_kobo as ours_kobo,
    null::bigint as theirs_kobo, null as other
  from (${UNSETTLED}) unsettled join attempts a on a.id = unsettled.attempt_id
  where settles_on < $3::date`;

/** The payments of which payouts up to this day should hold every one. */
export function overdueBefore(now: Date): string {
  return daysAfter(lagosDay(now), -GRACE_DAYS);
}

/** Opens a discrepancy for every payment that should have been paid out and is in no settlement, and resolves those that came after all. */
export async function findMissing(phase: Phase, account: SettlementAccount): Promise<void> {
  await takeTurn(phase, account);
  await compareBooks(phase, account, {
    differences: DIFFERENCES,
    among: `d.kind = 'missing'`,
    values: [termsOf(account).refundsFromPayouts, overdueBefore(phase.now)],
  });
}
