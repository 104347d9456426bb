import { addDays, lagosDay } from '../../shared/lagos.ts';
import type { Tx } from '../../shared/tx.ts';
import { lockAccount, type SettlementAccount, termsOf } from '../account/account.ts';
import { recordDifferences, resolveWhere } from '../discrepancy/record-differences.ts';
import { mayBeUnreadOn } from './unreadable.ts';
import { hasDiscrepancy, UNSETTLED } from './unsettled.ts';

/** Public holidays are not known, and two of them follow each other every year. */
const GRACE_DAYS = 2;

export const IS_MISSING = `(${hasDiscrepancy('missing', 'open')}
  or ${hasDiscrepancy('missing', 'closed')})`;

/**
 * Payments that should have been paid out; those that were by now are resolved. Without `isRead`,
 * and for days of an unreadable settlement, no new one is opened.
 */
export async function findMissing(tx: Tx, account: SettlementAccount, isRead: boolean) {
  await lockAccount(tx, account);
  const overdueBefore = addDays(lagosDay(tx.now), -GRACE_DAYS);
  await recordDifferences(tx, account, {
    differences: MISSING,
    scope: `d.kind = 'missing'`,
    values: [termsOf(account).deductsRefunds, overdueBefore, isRead],
  });
}

const MISSING = `
  select 'missing' as kind, unsettled.id as subject, null as settlement_id, null as line_id,
    unsettled.charge_id, a.reference, abs(net_kobo) as amount_kobo, net_kobo as difference_kobo,
    settles_on as day, net_kobo as ours_kobo, null::bigint as theirs_kobo, null as other
  from (${UNSETTLED}) unsettled join attempts a on a.id = unsettled.attempt_id
  where settles_on < $3::date
    and ($4::boolean and not ${mayBeUnreadOn('settles_on', GRACE_DAYS)} or ${IS_MISSING})`;

/** Its provider knows such a payment. */
export async function resolvePaidOut(tx: Tx, account: SettlementAccount): Promise<void> {
  await lockAccount(tx, account);
  const isPaidOut =
    'exists (select from captures k where k.id = d.subject and k.settlement_id is not null)';
  await resolveWhere(tx, account, 'unknown_at_provider', isPaidOut);
}
