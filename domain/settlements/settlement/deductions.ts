import { addDisputeDeductions } from '../../payments/dispute/store.ts';
import { addRefundDeductions } from '../../payments/refund/store.ts';
import type { RowOf } from '../../shared/columns.ts';
import { addDays, lagosDay } from '../../shared/lagos.ts';
import type { Sql } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import { type SettlementAccount, termsOf } from '../account/account.ts';
import type { SettlementDeduction } from '../entities/settlement.ts';
import type { SettlementRow } from './row.ts';

export interface Deductions {
  refundsKobo: number;
  chargebacksKobo: number;
}

export interface DeductionsQuery {
  settlementId: string;
  /** How much the settlement was reduced by. */
  kobo: number;
  /**
   * True: a refund or chargeback counts only if the amount covers all of it. So it is where the
   * provider does not state its deductions: a difference may then have another reason.
   */
  onlyWhole: boolean;
  /** When the settlement landed. Refunds and chargebacks that began after that day are left out. */
  landedAt: Date;
}

/**
 * Finds which refunds and chargebacks a settlement was reduced by, and writes how much of each it
 * deducted. The oldest come first: completed refunds, where the provider deducts those from
 * settlements, and lost chargebacks. Those of payments that no settlement holds come last, because
 * their provider may have deducted them from the payment itself. One that ended after the
 * settlement landed counts only if the amount covers all of it. Deductions that were written for
 * this settlement before are replaced. The account must be locked.
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
    query.onlyWhole,
    termsOf(account).deductsRefunds,
    new Date(`${addDays(lagosDay(query.landedAt), 1)}T00:00:00+01:00`),
  ]);
  return addDeducted(tx, assigned);
}

/**
 * Deletes a settlement's deductions: what it deducted is owed again. The account must be locked.
 */
export async function releaseDeductions(tx: Tx, settlementId: string): Promise<void> {
  const released = await tx.sql.query<DeductionRow>(
    `delete from settlement_deductions where settlement_id = $1
     returning refund_id, dispute_id, -amount_kobo as amount_kobo`,
    [settlementId],
  );
  await addDeducted(tx, released);
}

type DeductionRow = Omit<RowOf<typeof SettlementDeduction>, 'settlement_id'>;

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
 * Refunds and chargebacks of the connection `$1` that settlements have not deducted yet, or only in
 * part. `deductsRefunds`: SQL, true where the provider deducts refunds from settlements.
 */
export const owed = (deductsRefunds: string) => `
  select r.id as refund_id, null as dispute_id, r.capture_id,
    r.amount_kobo - r.deducted_kobo as kobo, r.completed_at as ended_at,
    greatest(k.captured_at, case when r.origin <> 'provider' then r.created_at end) as begun_at,
    k.settlement_id is null as is_unsettled
  from refunds r join captures k on k.id = r.capture_id
  where r.connection_id = $1 and r.status = 'completed' and r.deducted_kobo < r.amount_kobo
    and ${deductsRefunds}
  union all
  select null, d.id, d.capture_id, d.amount_kobo - d.deducted_kobo,
    d.decided_at, k.captured_at, k.settlement_id is null
  from disputes d join captures k on k.id = d.capture_id
  where d.connection_id = $1 and d.status = 'lost'
    and d.deducted_kobo < d.amount_kobo`;

/** What is owed of payments that were paid out before. */
export async function sumOwed(sql: Sql, account: SettlementAccount) {
  const [sums] = await sql.query<Pick<SettlementRow, 'refunds_kobo' | 'chargebacks_kobo'>>(
    `select coalesce(sum(kobo) filter (where refund_id is not null), 0)::bigint as refunds_kobo,
       coalesce(sum(kobo) filter (where dispute_id is not null), 0)::bigint as chargebacks_kobo
     from (${owed('$2::boolean')}) owed where not is_unsettled`,
    [account.id, termsOf(account).deductsRefunds],
  );
  return sums!;
}

/**
 * One that counts only as a whole, and is larger than the whole amount, does not use up any of it.
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
