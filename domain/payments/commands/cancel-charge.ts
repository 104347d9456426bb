import { type Actor, recordChange } from '../../accounts/audit-log/record-change.ts';
import { Problem } from '../../shared/problems.ts';
import type { Tx } from '../../shared/tx.ts';
import { firstCheckAfterCancel } from '../attempt/schedule.ts';
import { bringChecksForward } from '../attempt/store.ts';
import { isOpen, mayBePaid } from '../charge/ending.ts';
import type { ChargeRow } from '../charge/row.ts';
import { lockCharge, writeCancelRequest } from '../charge/store.ts';
import type { ChargeStatus } from '../charge/transitions.ts';
import { expireWhenAnswered } from '../facts/expire-charge.ts';
import { appendTimeline } from '../timeline/timeline.ts';

/**
 * A charge for which no provider can hold money fails at once; any other opens nothing new, and
 * fails once every provider has answered. A declined one is not tried again. Repeats change
 * nothing. Throws `invalid_state` when it was paid.
 */
export async function requestCancel(tx: Tx, actor: Actor, chargeId: string): Promise<void> {
  const charge = await lockCharge(tx, chargeId);
  requireNoMoney(charge);
  if (!mayBePaid(charge, tx.now)) return;
  if (charge.cancel_requested_at === null) await writeRequest(tx, actor, charge);
  await expireWhenAnswered(tx, chargeId);
}

async function writeRequest(tx: Tx, actor: Actor, charge: ChargeRow): Promise<void> {
  await writeCancelRequest(tx, charge.id);
  await bringChecksForward(tx, charge.id, firstCheckAfterCancel(tx.now));
  await appendTimeline(tx, charge, [
    { what: 'charge.cancel_requested', detail: 'The merchant asked to cancel the charge.' },
  ]);
  await recordChange(tx, actor, 'charge.cancel_requested', charge.id, `SV-${charge.number}`);
}

/** Null: it holds no money. */
const obstacles: Record<ChargeStatus, string | null> = {
  initiated: null,
  pending: null,
  failed: null,
  succeeded: 'The charge was paid, so it cannot be cancelled any more. Refund it instead.',
  settled: 'The charge was paid, so it cannot be cancelled any more. Refund it instead.',
  refunded: 'The charge was paid, and refunded in full: there is nothing to cancel.',
  disputed: 'The charge was paid and is disputed, so it cannot be cancelled any more.',
};

/** Throws `invalid_state` when it holds money, even too little. */
export function requireNoMoney(charge: Pick<ChargeRow, 'status' | 'retrying' | 'review'>): void {
  const { status, review } = charge;
  const obstacle =
    isOpen(charge) && review.includes('underpaid')
      ? 'Less than the amount was paid: accept or return that payment in its review first.'
      : obstacles[status];
  if (obstacle !== null) throw new Problem('invalid_state', obstacle);
}
