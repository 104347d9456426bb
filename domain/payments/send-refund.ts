import { formatNaira } from '../shared/money.ts';
import type { Sql } from '../shared/sql.ts';
import type { Tx } from '../shared/tx.ts';
import { excessOf } from './capture/capture.ts';
import type { ChargeRow } from './charge/row.ts';
import { lockCharge } from './charge/store.ts';
import { hasOpenDispute } from './dispute/find.ts';
import type { RefundedCapture } from './refund/find-capture.ts';
import { obstacleTo } from './refund/refundable.ts';
import type { RefundRow } from './refund/row.ts';
import { isUnchanged, markSending } from './refund/store.ts';
import { goneOf } from './refund/sums.ts';
import { appendTimeline } from './timeline/timeline.ts';

/**
 * What the check before sending says. `send`: the refund is marked, so send it now. `taken`: it is
 * not this worker's any more.
 */
export type SendCheck = { type: 'send' | 'taken' } | SendObstacle;

type SendObstacle =
  | { type: 'wait'; reason: string }
  /** `isReturned`: all of the payment has gone back already. */
  | { type: 'over'; message: string; isReturned: boolean };

/**
 * The check before money is sent back, under the charge's lock: the refund is still this worker's
 * and will be until `untilAt`, the charge's money may go, its connection may be used, and together
 * with everything that went of this payment already it is not too much.
 */
export async function beginSending(
  tx: Tx,
  refund: RefundRow,
  capture: RefundedCapture,
  untilAt: Date,
): Promise<SendCheck> {
  const charge = await lockCharge(tx, refund.charge_id);
  const obstacle = await findObstacle(tx, charge, refund, capture);
  if (obstacle) return obstacle;
  const from = { captureId: capture.id, connectionId: capture.connection_id };
  if (!(await markSending(tx, refund, from, untilAt))) return { type: 'taken' };
  const detail = `${formatNaira(refund.amount_kobo)} is being sent back (${refund.id}).`;
  await appendTimeline(tx, charge, [
    { what: 'refund.processing', detail, amountKobo: refund.amount_kobo },
  ]);
  return { type: 'send' };
}

/** The same check before a refund of an unknown outcome is sent once more: days may lie between. */
export async function checkBeforeResending(
  tx: Tx,
  refund: RefundRow,
  capture: RefundedCapture,
): Promise<SendCheck> {
  const charge = await lockCharge(tx, refund.charge_id);
  const obstacle = await findObstacle(tx, charge, refund, capture);
  if (obstacle) return obstacle;
  return { type: (await isUnchanged(tx, refund)) ? 'send' : 'taken' };
}

/**
 * Why a refund may not be sent now, or at all. What a bank decides about a payment counts whatever
 * the refund is for.
 */
async function findObstacle(
  { sql }: Tx,
  charge: ChargeRow,
  refund: RefundRow,
  capture: RefundedCapture,
): Promise<SendObstacle | undefined> {
  const obstacle = refund.origin === 'system' ? null : obstacleTo(charge);
  if (obstacle !== null && charge.status !== 'disputed')
    return { type: 'over', message: obstacle, isReturned: false };
  if (obstacle !== null || (await hasOpenDispute(sql, capture.id)))
    return { type: 'wait', reason: obstacle ?? UNDECIDED };
  if (capture.is_disabled)
    return {
      type: 'wait',
      reason: 'The connection it was paid through is disabled. Enable it to send the refund.',
    };
  const leftKobo = await leftOf(sql, charge, refund, capture);
  return refund.amount_kobo > leftKobo
    ? { type: 'over', message: tooMuch(leftKobo), isReturned: leftKobo <= 0 }
    : undefined;
}

/**
 * A system refund sends back no more than the charge does not need: what had failed may have gone
 * back after all since the refund was opened.
 */
async function leftOf(
  sql: Sql,
  charge: ChargeRow,
  refund: RefundRow,
  { id, amount_kobo: paidKobo }: RefundedCapture,
): Promise<number> {
  const { sentKobo, systemKobo, waitingKobo } = await goneOf(sql, id, refund.id);
  const leftKobo = paidKobo - sentKobo;
  if (refund.origin !== 'system') return leftKobo;
  const excessKobo = excessOf(charge, { isApplied: charge.capture_id === id, paidKobo });
  return Math.min(leftKobo, excessKobo - (systemKobo - waitingKobo));
}

const UNDECIDED = 'The payment is disputed: its money is held until the dispute is decided.';

/** Why a refund does not fit any more, in a sentence. */
function tooMuch(leftKobo: number): string {
  return `Only ${formatNaira(Math.max(0, leftKobo))} of the payment is left; the rest has gone back already.`;
}
