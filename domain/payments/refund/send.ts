import { formatNaira } from '../../shared/money.ts';
import type { Sql } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import type { ChargeRow } from '../charge/row.ts';
import { appendTimeline } from '../timeline/timeline.ts';
import { excessOf, goneOf } from './gone.ts';
import { obstacleTo } from './refundable.ts';
import type { RefundRow } from './row.ts';

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

/** What the last look says. `send`: it is written that it was sent, so send it now. `taken`: it is not this worker's any more. */
export type LastLook = { type: 'send' | 'taken' } | Hindrance;

type Hindrance =
  | { type: 'wait'; reason: string }
  /** `isGone`: all of the payment has gone back already. */
  | { type: 'over'; message: string; isGone: boolean };

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
 * The last look before money is sent back, under the charge's lock: the refund is still this worker's and will be until `untilAt`, the
 * charge's money may go, its connection may be used, and with everything that went of this payment already, whoever began it, it is not too much.
 */
export async function markSent(
  tx: Tx,
  refund: RefundRow,
  capture: RefundedCapture,
  untilAt: Date,
): Promise<LastLook> {
  const { sql, now } = tx;
  const charge = await lockCharge(tx, refund);
  const hindrance = await hindranceTo(tx, charge, refund, capture);
  if (hindrance) return hindrance;
  const marked = await sql.query(
    `update refunds set status = 'processing', sent_at = $3, capture_id = $4, connection_id = $5, attention = null
     where id = $1 and tries = $2 and sent_at is null and status in ('approved', 'processing') and due_at > $6
       and exists (select from connections where id = $5 and disabled_at is null) returning 1`,
    [refund.id, refund.tries, now, capture.id, capture.connection_id, untilAt],
  );
  if (marked.length === 0) return { type: 'taken' };
  const detail = `${formatNaira(refund.amount_kobo)} is being sent back (${refund.id}).`;
  await appendTimeline(tx, charge, [
    { what: 'refund.processing', detail, amountKobo: refund.amount_kobo },
  ]);
  return { type: 'send' };
}

/** The same look before a refund that was sent to no known end is sent once more: days may lie between. */
export async function lookAgain(
  tx: Tx,
  refund: RefundRow,
  capture: RefundedCapture,
): Promise<LastLook> {
  const charge = await lockCharge(tx, refund);
  const hindrance = await hindranceTo(tx, charge, refund, capture);
  if (hindrance) return hindrance;
  const still = await tx.sql.query(
    `select 1 from refunds where id = $1 and tries = $2 and status = 'processing' and sent_at is not null and accepted_at is null`,
    [refund.id, refund.tries],
  );
  return { type: still.length > 0 ? 'send' : 'taken' };
}

/** Takes the mark back where the provider surely was not reached, so that it may be sent another time; unless another worker has it by now. */
export async function unmarkSent(
  { sql }: Pick<Tx, 'sql'>,
  { id, tries }: Pick<RefundRow, 'id' | 'tries'>,
): Promise<void> {
  await sql.query(
    'update refunds set sent_at = null where id = $1 and tries = $2 and accepted_at is null',
    [id, tries],
  );
}

type LockedCharge = ChargeRow & { capture_id: string | null };

async function lockCharge({ sql }: Tx, refund: RefundRow): Promise<LockedCharge> {
  const [charge] = await sql.query<LockedCharge>('select * from charges where id = $1 for update', [
    refund.charge_id,
  ]);
  return charge!;
}

/** Why a refund may not be sent now, or at all. What a bank decides about a payment counts whatever the refund is for. */
async function hindranceTo(
  { sql }: Tx,
  charge: LockedCharge,
  refund: RefundRow,
  capture: RefundedCapture,
): Promise<Hindrance | undefined> {
  const obstacle = refund.origin === 'system' ? null : obstacleTo(charge);
  if (obstacle !== null && charge.status !== 'disputed')
    return { type: 'over', message: obstacle, isGone: false };
  if (obstacle !== null || (await isDisputed(sql, capture)))
    return { type: 'wait', reason: obstacle ?? UNDECIDED };
  if (capture.is_disabled)
    return {
      type: 'wait',
      reason: 'The connection it was paid through is disabled. Enable it to send the refund.',
    };
  const leftKobo = await leftOf(sql, charge, refund, capture);
  return refund.amount_kobo > leftKobo
    ? { type: 'over', message: tooMuch(leftKobo), isGone: leftKobo <= 0 }
    : undefined;
}

/** Of what the charge does not need, no more goes than that is: what failed may have gone after all since it was promised again. */
async function leftOf(
  sql: Sql,
  charge: LockedCharge,
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

async function isDisputed(sql: Sql, { id }: RefundedCapture): Promise<boolean> {
  return (
    (
      await sql.query(`select 1 from disputes where capture_id = $1 and status = 'open' limit 1`, [
        id,
      ])
    ).length > 0
  );
}

/** Why a refund does not fit any more, in a sentence. */
function tooMuch(leftKobo: number): string {
  return `Only ${formatNaira(Math.max(0, leftKobo))} of the payment is left; the rest has gone back already.`;
}
