import { formatNaira } from '../../shared/money.ts';
import type { Sql } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import { excessOf, returnableOf } from '../capture/capture.ts';
import type { ChargeRow } from '../charge/row.ts';
import { lockCharge } from '../charge/store.ts';
import { hasOpenDispute } from '../dispute/find.ts';
import type { RefundFact } from '../refund/decision.ts';
import type { RefundedCapture } from '../refund/find-capture.ts';
import { obstacleTo } from '../refund/refundable.ts';
import type { RefundRow } from '../refund/row.ts';
import { isUnchanged, markSending } from '../refund/store.ts';
import { sumReturns } from '../refund/sums.ts';
import { appendTimeline } from '../timeline/timeline.ts';
import { recordRefund } from './record-refund.ts';

/**
 * `send`: the refund is marked, send it now. `claim lost`: the claim ended, or its status changed.
 */
export type SendCheck = { type: 'send' | 'claim lost' } | SendObstacle;

type SendObstacle =
  | { type: 'wait'; reason: string }
  /** `isReturned`: all of the payment went back. */
  | { type: 'over'; message: string; isReturned: boolean };

/**
 * With the charge locked: the claim lasts until `untilAt`, the connection is enabled, and the
 * charge and its payment have the money.
 */
export async function beginSending(
  tx: Tx,
  refund: RefundRow,
  capture: RefundedCapture,
  untilAt: Date,
): Promise<SendCheck> {
  const charge = await lockCharge(tx, refund.charge_id);
  const check = await checkClaimed(tx, charge, refund, capture);
  if (check.type !== 'send') return check;
  const from = { captureId: capture.id, connectionId: capture.connection_id };
  if (!(await markSending(tx, refund, from, untilAt))) return { type: 'claim lost' };
  const detail = `${formatNaira(refund.amount_kobo)} is being sent back (${refund.id}).`;
  await appendTimeline(tx, charge, [
    { what: 'refund.processing', detail, amountKobo: refund.amount_kobo },
  ]);
  return check;
}

/** Does nothing where the claim has ended: another worker may have sent it. */
export async function recordNotSent(
  tx: Tx,
  refund: RefundRow,
  fact: Extract<RefundFact, { type: 'refused' | 'nothing left' }>,
): Promise<void> {
  await lockCharge(tx, refund.charge_id);
  if (await isUnchanged(tx, refund)) await recordRefund(tx, refund.id, fact);
}

/** Perhaps days later. */
export async function checkBeforeResending(tx: Tx, refund: RefundRow, capture: RefundedCapture) {
  return checkClaimed(tx, await lockCharge(tx, refund.charge_id), refund, capture);
}

/** The claim comes first: an obstacle says nothing about a refund that another worker has sent. */
async function checkClaimed(
  tx: Tx,
  charge: ChargeRow,
  refund: RefundRow,
  capture: RefundedCapture,
): Promise<SendCheck> {
  if (!(await isUnchanged(tx, refund))) return { type: 'claim lost' };
  return (await findObstacle(tx, charge, refund, capture)) ?? { type: 'send' };
}

/** An open dispute of the payment holds up refunds of every origin. */
async function findObstacle(
  { sql }: Tx,
  charge: ChargeRow,
  refund: RefundRow,
  capture: RefundedCapture,
): Promise<SendObstacle | undefined> {
  const obstacle = refund.origin === 'system' ? null : await obstacleTo(sql, charge);
  if (obstacle !== null && charge.status !== 'disputed')
    return { type: 'over', message: obstacle, isReturned: false };
  if (obstacle !== null || (await hasOpenDispute(sql, capture.id)))
    return { type: 'wait', reason: obstacle ?? UNDECIDED };
  if (capture.is_disabled)
    return {
      type: 'wait',
      reason:
        'The connection it was paid through is disabled. ' +
        'Enable it, or connect another account in its place, to send the refund.',
    };
  const leftKobo = await leftOf(sql, charge, refund, capture);
  return refund.amount_kobo > leftKobo
    ? { type: 'over', message: tooMuch(leftKobo), isReturned: leftKobo <= 0 }
    : undefined;
}

/** A system refund sends the excess at most: a failed one may have completed since. */
async function leftOf(
  sql: Sql,
  charge: ChargeRow,
  refund: RefundRow,
  { id, amount_kobo: amountKobo, payer_fee_kobo: payerFeeKobo }: RefundedCapture,
): Promise<number> {
  const isApplied = charge.capture_id === id;
  const paidKobo = returnableOf({ amountKobo, payerFeeKobo }, isApplied);
  const { sentKobo, systemKobo, waitingKobo } = await sumReturns(sql, id, refund.id);
  const leftKobo = paidKobo - sentKobo;
  if (refund.origin !== 'system') return leftKobo;
  const { status, amount_kobo: chargeKobo, refunded_kobo: refundedKobo } = charge;
  const needed = { status, amountKobo: chargeKobo, refundedKobo };
  const excessKobo = excessOf(needed, { isApplied, paidKobo });
  return Math.min(leftKobo, excessKobo - (systemKobo - waitingKobo));
}

const UNDECIDED = 'The payment is disputed: its money is held until the dispute is decided.';

function tooMuch(leftKobo: number): string {
  return `Only ${formatNaira(Math.max(0, leftKobo))} of the payment is left; the rest has gone back already.`;
}
