import type { ChargeStatus } from '../charge/machine.ts';
import type { ChargeRow } from '../charge/row.ts';
import { Problem } from '../problems.ts';
import type { Sql } from '../sql.ts';
import { committedRefundStatuses, pendingRefundStatuses } from './machine.ts';

/** What the sum of a charge's refunds is counted from. All kobo. */
export interface RefundSums {
  completedKobo: number;
  /** On its way, or asked for. */
  pendingKobo: number;
}

/**
 * What of a charge may still go back to the payer, in kobo, never below 0. What completed is counted once, whether the charge was told of
 * it already or not; a refund the provider made on its own may be known to the charge alone.
 */
export function refundableOf(charge: Pick<ChargeRow, 'amount_kobo' | 'refunded_kobo'>, { completedKobo, pendingKobo }: RefundSums): number {
  return Math.max(0, charge.amount_kobo - Math.max(charge.refunded_kobo, completedKobo) - pendingKobo);
}

/** What may still be asked back: requests that wait for the Owner hold their part. */
export async function stillRefundable(sql: Sql, charge: ChargeRow): Promise<number> {
  return refundableOf(charge, await sumsOf(sql, charge.id, pendingRefundStatuses));
}

/** What the Owner may still agree to: of several requests that do not all fit any more, one that fits alone may be approved. */
export async function stillApprovable(sql: Sql, charge: ChargeRow): Promise<number> {
  return refundableOf(charge, await sumsOf(sql, charge.id, committedRefundStatuses));
}

/** Extra captures that the service sends back by itself are no part of the charge's own money. */
async function sumsOf(sql: Sql, chargeId: string, pending: readonly string[]): Promise<RefundSums> {
  const [sums] = await sql.query<{ completed: number; pending: number }>(
    `select coalesce(sum(amount_kobo) filter (where status = 'completed'), 0)::bigint as completed,
       coalesce(sum(amount_kobo) filter (where status = any($2)), 0)::bigint as pending
     from refunds where charge_id = $1 and origin <> 'system'`,
    [chargeId, pending],
  );
  return { completedKobo: sums!.completed, pendingKobo: sums!.pending };
}

/** Why money of a charge in this status cannot go back; null: it can. */
const obstacles: Record<ChargeStatus, string | null> = {
  initiated: 'The charge is not paid yet, so there is nothing to refund.',
  pending: 'The charge is not paid yet, so there is nothing to refund.',
  succeeded: null,
  settled: null,
  failed: 'The charge failed: no money came that could go back.',
  refunded: 'The charge was refunded in full already.',
  disputed: 'The charge is disputed: its money is held until the dispute is decided.',
};

/** Throws `invalid_state` unless the charge's money may go back. */
export function requireRefundable({ status }: Pick<ChargeRow, 'status'>): void {
  const obstacle = obstacles[status];
  if (obstacle !== null) throw new Problem('invalid_state', obstacle);
}
