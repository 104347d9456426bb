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

/**
 * Finds the refunds and chargebacks that reduced a settlement, in place of those written before:
 * oldest first, those of unsettled payments last, for they may reduce the payment itself. One that
 * ended later must fit whole. The account must be locked.
 */
export async function assignDeductions(
  tx: Tx,
  account: SettlementAccount,
  query: {
    settlementId: string;
    /** What the settlement was reduced by. */
    kobo: number;
    /** Whole ones only, where deductions are unstated: a difference may have another reason. */
    onlyWhole: boolean;
    /** What began after that day is left out. */
    landedAt: Date;
  },
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

/** They are owed again. The account must be locked. */
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

/** SQL: those of connection `$1` not wholly deducted yet. */
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

/** Sums what is owed of payments that were paid out before. */
export async function sumOwed(sql: Sql, account: SettlementAccount) {
  const [sums] = await sql.query<Pick<SettlementRow, 'refunds_kobo' | 'chargebacks_kobo'>>(
    `select coalesce(sum(kobo) filter (where refund_id is not null), 0)::bigint as refunds_kobo,
       coalesce(sum(kobo) filter (where dispute_id is not null), 0)::bigint as chargebacks_kobo
     from (${owed('$2::boolean')}) owed where not is_unsettled`,
    [account.id, termsOf(account).deductsRefunds],
  );
  return sums!;
}

/** One that must fit and does not uses up none of the amount. */
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
