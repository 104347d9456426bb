import { addDisputeDeductions } from '../../payments/dispute/store.ts';
import { addRefundDeductions } from '../../payments/refund/store.ts';
import type { RowOf } from '../../shared/columns.ts';
import { addDays, lagosDay } from '../../shared/lagos.ts';
import type { Tx } from '../../shared/tx.ts';
import { type SettlementAccount, termsOf } from '../account/account.ts';
import type { SettlementDeduction } from '../entities/settlement.ts';

/** What of a settlement's deductions our records explain. All kobo. */
export interface Deductions {
  refundsKobo: number;
  chargebacksKobo: number;
}

export interface DeductionsQuery {
  settlementId: string;
  /** What is to be explained. */
  kobo: number;
  /**
   * True: only refunds and chargebacks that fit into it entirely. Where the provider does not state
   * what it took out, a part explains nothing.
   */
  isWhole: boolean;
  /** When the settlement landed: what began after that day belongs to a later one. */
  landedAt: Date;
}

/**
 * Assigns what a settlement took out to what is owed, the oldest first: refunds to payers, where
 * the provider takes those out of settlements, and chargebacks that were lost. Those of payments
 * that no settlement holds come last: their provider may have deducted them from the payment
 * itself. What ended after the settlement landed explains only what it fits into entirely. What was
 * assigned to the settlement before is assigned anew. The account must be locked.
 */
export async function assignDeductions(
  tx: Tx,
  account: SettlementAccount,
  query: DeductionsQuery,
): Promise<Deductions> {
  await releaseDeductions(tx, query.settlementId);
  if (query.kobo <= 0) return { refundsKobo: 0, chargebacksKobo: 0 };
  const assigned = await tx.sql.query<DeductionRow>(ASSIGN, [
    account.id,
    query.settlementId,
    query.kobo,
    query.isWhole,
    termsOf(account).deductsRefunds,
    new Date(`${addDays(lagosDay(query.landedAt), 1)}T00:00:00+01:00`),
  ]);
  return addDeducted(tx, assigned);
}

/** What a settlement took out is owed again. The account must be locked. */
export async function releaseDeductions(tx: Tx, settlementId: string): Promise<void> {
  const released = await tx.sql.query<DeductionRow>(
    `delete from settlement_deductions where settlement_id = $1
     returning refund_id, dispute_id, -amount_kobo as amount_kobo`,
    [settlementId],
  );
  await addDeducted(tx, released);
}

type DeductionRow = Omit<RowOf<typeof SettlementDeduction>, 'settlement_id'>;

/** Adds deductions to the refunds and disputes they are for. Returns the sum of each kind. */
async function addDeducted(tx: Tx, deductions: readonly DeductionRow[]): Promise<Deductions> {
  const refunds = deductions.flatMap(({ refund_id: id, amount_kobo: kobo }) =>
    id === null ? [] : [{ id, kobo }],
  );
  const disputes = deductions.flatMap(({ dispute_id: id, amount_kobo: kobo }) =>
    id === null ? [] : [{ id, kobo }],
  );
  await addRefundDeductions(tx, refunds);
  await addDisputeDeductions(tx, disputes);
  return { refundsKobo: sumOf(refunds), chargebacksKobo: sumOf(disputes) };
}

function sumOf(deductions: readonly { kobo: number }[]): number {
  return deductions.reduce((sum, { kobo }) => sum + kobo, 0);
}

/**
 * Refunds and chargebacks of the connection `$1` that no settlement took out yet, entirely or in
 * part. `takesRefunds`: SQL, true where the provider takes refunds out of settlements.
 */
export const owed = (takesRefunds: string) => `
  select r.id as refund_id, null as dispute_id, r.capture_id,
    r.amount_kobo - r.deducted_kobo as kobo, r.completed_at as ended_at,
    greatest(k.captured_at, case when r.origin <> 'provider' then r.created_at end) as begun_at,
    k.settlement_id is null as is_unsettled
  from refunds r join captures k on k.id = r.capture_id
  where r.connection_id = $1 and r.status = 'completed' and r.deducted_kobo < r.amount_kobo
    and ${takesRefunds}
  union all
  select null, d.id, d.capture_id, coalesce(d.amount_kobo, k.amount_kobo) - d.deducted_kobo,
    d.decided_at, k.captured_at, k.settlement_id is null
  from disputes d join captures k on k.id = d.capture_id
  where d.connection_id = $1 and d.status = 'lost'
    and (d.amount_kobo is null or d.deducted_kobo < d.amount_kobo)
    and d.deducted_kobo < coalesce(d.amount_kobo, k.amount_kobo)`;

/**
 * What has to fit entirely and is larger than all that is to be explained is left out of the sum.
 */
const ASSIGN = `
  with owed as (
    select *, $4::boolean or ended_at >= $6 as must_fit from (${owed('$5::boolean')}) owed),
  running as (
    select *,
      sum(kobo) over (order by is_unsettled, ended_at, refund_id, dispute_id) - kobo as before
    from owed where begun_at < $6 and (kobo <= $3::bigint or not must_fit))
  insert into settlement_deductions (settlement_id, refund_id, dispute_id, amount_kobo)
  select $2, refund_id, dispute_id, least(kobo, $3::bigint - before) from running
  where before + case when must_fit then kobo else 1 end <= $3::bigint
  returning refund_id, dispute_id, amount_kobo`;
