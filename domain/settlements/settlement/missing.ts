import { lagosDay } from '../../shared/lagos.ts';
import type { Tx } from '../../shared/tx.ts';
import { compareBooks } from '../discrepancy/compare.ts';
import { daysAfter, type SettlementAccount, takeTurn, termsOf } from './account.ts';
import { UNSETTLED } from './unsettled.ts';

/** Public holidays are not known, and two of them come one after the other every year: a payout may be late by this much. */
const GRACE_DAYS = 2;

const DIFFERENCES = `
  select 'missing' as kind, unsettled.id as subject, null as settlement_id, null as line_id, unsettled.charge_id, a.reference,
    abs(net_kobo) as amount_kobo, net_kobo as difference_kobo, settles_on::text as day, net_kobo as ours_kobo,
    null::bigint as theirs_kobo, null as other
  from (${UNSETTLED}) unsettled join attempts a on a.id = unsettled.attempt_id
  where settles_on < $3::date and ($4::boolean or ${isFoundMissing('open')} or ${isFoundMissing('closed')})`;

/** The payments of which payouts up to this day should hold every one. */
function overdueBefore(now: Date): string {
  return daysAfter(lagosDay(now), -GRACE_DAYS);
}

/** SQL: a payment that payouts no longer hold as they should is on record as missing. Each status has its own index. */
export function isFoundMissing(status: 'open' | 'closed'): string {
  return `exists (select from discrepancies m
    where m.connection_id = $1 and m.kind = 'missing' and m.subject = unsettled.id and m.status = '${status}')`;
}

/**
 * Opens a discrepancy for every payment that should have been paid out and is in no settlement, and resolves those that came after all.
 * `isHeard: false`: the provider was not heard, so that nothing is found missing anew.
 */
export async function findMissing(
  tx: Tx,
  account: SettlementAccount,
  isHeard: boolean,
): Promise<void> {
  await takeTurn(tx, account);
  await compareBooks(tx, account, {
    differences: DIFFERENCES,
    among: `d.kind = 'missing'`,
    values: [termsOf(account).deductsRefunds, overdueBefore(tx.now), isHeard],
  });
}

/** Found unknown before, and in no payout still; the columns of a `Difference`. */
const STILL_UNKNOWN = `
  select kind, subject, settlement_id, line_id, charge_id, reference, amount_kobo, difference_kobo, day::text, null::bigint as ours_kobo,
    null::bigint as theirs_kobo, null as other
  from discrepancies d where connection_id = $1 and kind = 'unknown_at_provider' and status in ('open', 'closed')
    and not exists (select from captures k where k.id = d.subject and k.settlement_id is not null)`;

/** Resolves that a payment is not known to its provider once a payout holds it. */
export async function resolvePaidOut(tx: Tx, account: SettlementAccount): Promise<void> {
  await takeTurn(tx, account);
  await compareBooks(tx, account, {
    differences: STILL_UNKNOWN,
    among: `d.kind = 'unknown_at_provider'`,
    values: [],
  });
}
