import { addDays, lagosDay } from '../../shared/lagos.ts';
import type { Tx } from '../../shared/tx.ts';
import { lockAccount, type SettlementAccount, termsOf } from '../account/account.ts';
import { recordDifferences, resolveWhere } from '../discrepancy/record-differences.ts';
import { mayBeUnreadOn } from './unreadable.ts';
import { hasDiscrepancy, UNSETTLED } from './unsettled.ts';

/**
 * A settlement may be late by this much: public holidays are not known, and every year two of them
 * follow each other.
 */
const GRACE_DAYS = 2;

export const IS_MISSING = `(${hasDiscrepancy('missing', 'open')}
  or ${hasDiscrepancy('missing', 'closed')})`;

/**
 * Opens a discrepancy for every payment that should have been paid out and is in no settlement, and
 * resolves those of payments that are in one by now. `isRead: false`: not all settlements of the
 * provider were read, so no new discrepancy is opened. Nor is one for a day of which a settlement
 * cannot be read: that is a discrepancy of its own.
 */
export async function findMissing(
  tx: Tx,
  account: SettlementAccount,
  isRead: boolean,
): Promise<void> {
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
    settles_on::text as day, net_kobo as ours_kobo, null::bigint as theirs_kobo, null as other
  from (${UNSETTLED}) unsettled join attempts a on a.id = unsettled.attempt_id
  where settles_on < $3::date
    and ($4::boolean and not ${mayBeUnreadOn('settles_on', GRACE_DAYS)} or ${IS_MISSING})`;

/** A payment that a settlement holds by now is known to its provider. */
export async function resolvePaidOut(tx: Tx, account: SettlementAccount): Promise<void> {
  await lockAccount(tx, account);
  const isPaidOut =
    'exists (select from captures k where k.id = d.subject and k.settlement_id is not null)';
  await resolveWhere(tx, account, 'unknown_at_provider', isPaidOut);
}
