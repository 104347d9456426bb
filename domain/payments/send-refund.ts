import { formatNaira } from '../shared/money.ts';
import type { Sql } from '../shared/sql.ts';
import type { Tx } from '../shared/tx.ts';
import { excessOf } from './capture/capture.ts';
import type { ChargeRow } from './charge/row.ts';
import { lockCharge } from './charge/store.ts';
import { hasOpenDispute } from './dispute/find.ts';
import { obstacleTo } from './refund/refundable.ts';
import type { RefundRow } from './refund/row.ts';
import { markSending } from './refund/store.ts';
import { goneOf } from './refund/sums.ts';
import { appendTimeline } from './timeline/timeline.ts';

/** The payment a refund's money comes from. */
export interface RefundedCapture {
  id: string;
  connection_id: string;
  provider_payment_id: string;
  amount_kobo: number;
  captured_at: Date;
  /** Its connection may not be used: nothing new is sent through it. */
  is_disabled: boolean;
  /** The reference it was made under. */
  reference: string;
}

/** What the check before sending says. `send`: the refund is marked, so send it now. `taken`: it is not this worker's any more. */
export type SendCheck = { type: 'send' | 'taken' } | SendObstacle;

type SendObstacle =
  | { type: 'wait'; reason: string }
  /** `isReturned`: all of the payment has gone back already. */
  | { type: 'over'; message: string; isReturned: boolean };

/** The payment a refund's money comes from: the charge's own, unless the refund names one. Undefined: the charge has none. */
export async function findRefundedCapture(
  { sql }: Pick<Tx, 'sql'>,
  refund: RefundRow,
): Promise<RefundedCapture | undefined> {
  const [capture] = await sql.query<RefundedCapture>(
    `select k.id, k.connection_id, k.provider_payment_id, k.amount_kobo, k.captured_at, a.reference,
       (select disabled_at is not null from connections where id = k.connection_id) as is_disabled
     from captures k join attempts a on a.id = k.attempt_id
     where k.id = coalesce($2, (select capture_id from charges where id = $1))`,
    [refund.charge_id, refund.capture_id],
  );
  return capture;
}

/**
 * The check before money is sent back, under the charge's lock: the refund is still this worker's and will be until `untilAt`, the charge's
 * money may go, its connection may be used, and with everything that went of this payment already, whoever began it, it is not too much.
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

/** The same check before a refund that was sent to no known end is sent once more: days may lie between. */
export async function checkBeforeResending(
  tx: Tx,
  refund: RefundRow,
  capture: RefundedCapture,
): Promise<SendCheck> {
  const charge = await lockCharge(tx, refund.charge_id);
  const obstacle = await findObstacle(tx, charge, refund, capture);
  if (obstacle) return obstacle;
  const still = await tx.sql.query(
    `select 1 from refunds where id = $1 and tries = $2 and status = $3`,
    [refund.id, refund.tries, refund.status],
  );
  return { type: still.length > 0 ? 'send' : 'taken' };
}

/** Why a refund may not be sent now, or at all. What a bank decides about a payment counts whatever the refund is for. */
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

/** Of what the charge does not need, no more goes than that is: what failed may have gone after all since the refund was opened. */
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
