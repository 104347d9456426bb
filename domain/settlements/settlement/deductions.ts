import { lagosDay } from '../../shared/lagos.ts';
import type { Tx } from '../../shared/tx.ts';
import { daysAfter, type SettlementAccount, termsOf } from './account.ts';

/** What of a payout's deductions our books explain. All kobo. */
export interface Deductions {
  refundsKobo: number;
  chargebacksKobo: number;
}

export interface Wanted {
  settlementId: string;
  /** What is to be explained. */
  kobo: number;
  /** True: only refunds and chargebacks that fit into it entirely. Where the provider does not state what it took, a part explains nothing. */
  isWhole: boolean;
  /** When the payout landed: what was begun after that day is of a later one. */
  landedAt: Date;
}

/**
 * Shares out what a payout took back among what is owed: refunds that went to payers, where the provider takes those out of payouts, and
 * chargebacks that were lost, the oldest first. Those of payments that no payout holds come last: their provider may have settled them with
 * the payment itself. News of them may come late, and then explains what fits it entirely. What the payout was
 * given before is shared out anew. The connection's turn must be taken.
 */
export async function takeDeductions(
  tx: Tx,
  account: SettlementAccount,
  wanted: Wanted,
): Promise<Deductions> {
  await giveBackDeductions(tx, wanted.settlementId);
  if (wanted.kobo <= 0) return { refundsKobo: 0, chargebacksKobo: 0 };
  const [taken] = await tx.sql.query<Deductions>(TAKE, [
    account.id,
    wanted.settlementId,
    wanted.kobo,
    wanted.isWhole,
    termsOf(account).deductsRefunds,
    new Date(`${daysAfter(lagosDay(wanted.landedAt), 1)}T00:00:00+01:00`),
  ]);
  return taken!;
}

/** What a payout took back is owed again. The connection's turn must be taken. */
export async function giveBackDeductions({ sql }: Tx, settlementId: string): Promise<void> {
  await sql.query(
    `with given as (delete from settlement_deductions where settlement_id = $1 returning *),
     refunded as (
       update refunds r set deducted_kobo = deducted_kobo - given.amount_kobo from given where given.refund_id = r.id)
     update disputes d set deducted_kobo = deducted_kobo - given.amount_kobo from given where given.dispute_id = d.id`,
    [settlementId],
  );
}

/** What went back to payers, or to their banks, and no payout was made smaller by: refunds and chargebacks of the connection `$1`. */
export const owed = (takesRefunds: string) => `
  select r.id as refund_id, null as dispute_id, r.capture_id, r.amount_kobo - r.deducted_kobo as kobo, r.completed_at as at,
    greatest(k.captured_at, case when r.origin <> 'provider' then r.created_at end) as begun_at, k.settlement_id is null as is_waiting
  from refunds r join captures k on k.id = r.capture_id where r.connection_id = $1 and r.status = 'completed' and r.deducted_kobo < r.amount_kobo and ${takesRefunds}
  union all
  select null, d.id, d.capture_id, coalesce(d.amount_kobo, k.amount_kobo) - d.deducted_kobo, d.decided_at, k.captured_at, k.settlement_id is null
  from disputes d join captures k on k.id = d.capture_id
  where d.connection_id = $1 and d.status = 'lost' and (d.amount_kobo is null or d.deducted_kobo < d.amount_kobo)
    and d.deducted_kobo < coalesce(d.amount_kobo, k.amount_kobo)`;

const TAKE = `
  with owed as (${owed('$5::boolean')}),
  running as (
    -- What is more than all of it is no whole part of it, and in nobody's way.
    select *, sum(kobo) over (order by is_waiting, at, refund_id, dispute_id) - kobo as before
    from owed where begun_at < $6 and (kobo <= $3::bigint or not ($4::boolean or at >= $6))),
  taken as materialized (
    select refund_id, dispute_id, least(kobo, $3::bigint - before)::bigint as kobo from running
    where before + case when $4::boolean or at >= $6 then kobo else 1 end <= $3::bigint
  ),
  written as (
    insert into settlement_deductions (settlement_id, refund_id, dispute_id, amount_kobo) select $2, refund_id, dispute_id, kobo from taken),
  refunded as (update refunds r set deducted_kobo = deducted_kobo + taken.kobo from taken where taken.refund_id = r.id),
  disputed as (update disputes d set deducted_kobo = deducted_kobo + taken.kobo from taken where taken.dispute_id = d.id)
  select coalesce(sum(kobo) filter (where refund_id is not null), 0)::bigint as "refundsKobo",
    coalesce(sum(kobo) filter (where dispute_id is not null), 0)::bigint as "chargebacksKobo" from taken`;
