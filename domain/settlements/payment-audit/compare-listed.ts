import { checkAttemptsNow } from '../../payments/attempt/check-attempts-now.ts';
import { isOurReference } from '../../payments/attempt/reference.ts';
import { writeListed } from '../../payments/capture/settle.ts';
import { findUnexplained } from '../../payments/refund/sums.ts';
import type { ListedPayment } from '../../providers/port/payment.ts';
import { lagosDay } from '../../shared/lagos.ts';
import type { Tx } from '../../shared/tx.ts';
import { lockAccount, type SettlementAccount } from '../account/account.ts';
import { checkNeverNotified } from '../discrepancy/check-never-notified.ts';
import { recordDifferences, resolveWhere } from '../discrepancy/record-differences.ts';

/**
 * Writes which of ours and of imported payments the provider knows, and has unknown and
 * unexplainedly reversed ones checked now. The merchant's other business, which is not on record,
 * and unclear rows are ignored.
 */
export async function recordListed(
  tx: Tx,
  account: SettlementAccount,
  payments: readonly ListedPayment[],
): Promise<void> {
  const paid = payments
    .filter(({ isPaid }) => isPaid)
    .flatMap(({ providerPaymentId: id, ...payment }) => (id === null ? [] : { ...payment, id }));
  if (paid.length === 0) return;
  await lockAccount(tx, account);
  const ours = paid.filter(({ reference }) => isOurReference(reference));
  const idsOf = (listed: typeof paid) => listed.map(({ id }) => id);
  await writeListed(tx, account.id, idsOf(paid));
  await recordDifferences(tx, account, {
    differences: NEVER_NOTIFIED,
    scope: 'false',
    values: [
      idsOf(ours),
      ours.map(({ reference }) => reference),
      ours.map(({ amountKobo }) => amountKobo),
      ours.map(({ at }) => lagosDay(at ?? tx.now)),
    ],
  });
  const reversed = paid.filter(({ isReversed }) => isReversed);
  await checkNeverNotified(tx, account, {
    where: `connection_id = $1 and settlement_id is null and not ${IS_ON_RECORD}`,
    ...{ value: account.id, most: 100 },
  });
  await checkReversed(tx, account, reversed);
}

/**
 * One with a discrepancy of a settlement counts there. Without an amount, what was asked counts.
 */
const NEVER_NOTIFIED = `
  select 'never_notified' as kind, listed.id as subject, null as settlement_id, null as line_id,
    a.charge_id, listed.reference, stated.amount_kobo, 0::bigint as difference_kobo,
    listed.day, null::bigint as ours_kobo, stated.amount_kobo as theirs_kobo,
    a.charge_id as other
  from (
    select distinct on (id) *
    from unnest($2::text[], $3::text[], $4::bigint[], $5::date[])
      as listed (id, reference, amount_kobo, day)
    order by id) listed
  left join attempts a on a.reference = listed.reference
  cross join lateral (select coalesce(listed.amount_kobo,
    (select amount_kobo from charges where id = a.charge_id), 0) as amount_kobo) stated
  where (a.id is null or a.connection_id = $1)
    and not exists (
      select from captures k where k.connection_id = $1 and k.provider_payment_id = listed.id)
    and not exists (
      select from discrepancies d where d.connection_id = $1 and d.kind = 'never_notified'
        and d.subject = listed.id and d.status in ('open', 'closed')
        and d.settlement_id is not null)`;

const IS_ON_RECORD = `exists (
  select from captures k where k.connection_id = $1 and k.provider_payment_id = d.subject)`;

/** Discrepancies of a settlement are compared with its lines. */
export async function resolveRecorded(tx: Tx, account: SettlementAccount): Promise<void> {
  await lockAccount(tx, account);
  const isOver = `d.settlement_id is null and ${IS_ON_RECORD}`;
  await resolveWhere(tx, account, 'never_notified', isOver);
}

async function checkReversed(
  tx: Tx,
  { id: connectionId }: SettlementAccount,
  reversed: readonly { id: string; reference: string }[],
): Promise<void> {
  if (reversed.length === 0) return;
  const ids = reversed.map(({ id }) => id);
  const unexplained = await findUnexplained(tx.sql, connectionId, ids);
  const chargeIds = unexplained.map(({ charge_id: chargeId }) => chargeId);
  const references = reversed.map(({ reference }) => reference);
  await checkAttemptsNow(tx, { connectionId, references, chargeIds });
}
