import type { ChargeRow } from '../charge/row.ts';
import { appendTimeline } from '../charge/timeline.ts';
import { formatNaira } from '../money.ts';
import type { Phase } from '../phase.ts';
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
export type LastLook =
  | { type: 'send' | 'taken' }
  | { type: 'wait'; reason: string }
  /** `isGone`: all of the payment has gone back already. */
  | { type: 'over'; message: string; isGone: boolean };

/** The payment a refund's money comes from: the charge's own, unless the refund names one. Undefined: the charge has none. */
export async function findRefundedCapture({ sql }: Pick<Phase, 'sql'>, refund: RefundRow): Promise<RefundedCapture | undefined> {
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
export async function markSent(phase: Phase, refund: RefundRow, capture: RefundedCapture, untilAt: Date): Promise<LastLook> {
  const { sql, now } = phase;
  const [charge] = await sql.query<ChargeRow>('select * from charges where id = $1 for update', [refund.charge_id]);
  const obstacle = refund.origin === 'system' ? null : obstacleTo(charge!);
  if (obstacle !== null && charge!.status === 'disputed') return { type: 'wait', reason: obstacle };
  if (obstacle !== null) return { type: 'over', message: obstacle, isGone: false };
  if (capture.is_disabled) return { type: 'wait', reason: 'The connection it was paid through is disabled. Enable it to send the refund.' };
  const leftKobo = await leftOf(phase, refund, capture);
  if (refund.amount_kobo > leftKobo) return { type: 'over', message: tooMuch(leftKobo), isGone: leftKobo <= 0 };
  const marked = await sql.query(
    `update refunds set status = 'processing', sent_at = $3, capture_id = $4, connection_id = $5, attention = null
     where id = $1 and tries = $2 and sent_at is null and status in ('approved', 'processing') and due_at > $6
       and exists (select from connections where id = $5 and disabled_at is null) returning 1`,
    [refund.id, refund.tries, now, capture.id, capture.connection_id, untilAt],
  );
  if (marked.length === 0) return { type: 'taken' };
  const detail = `${formatNaira(refund.amount_kobo)} is being sent back (${refund.id}).`;
  await appendTimeline(phase, charge!, [{ what: 'refund.processing', detail, amountKobo: refund.amount_kobo }]);
  return { type: 'send' };
}

/** Why a refund does not fit any more, in a sentence. */
export function tooMuch(leftKobo: number): string {
  return `Only ${formatNaira(Math.max(0, leftKobo))} of the payment is left; the rest has gone back already.`;
}

/** Takes the mark back where the provider surely was not reached, so that it may be sent another time. */
export async function unmarkSent({ sql }: Pick<Phase, 'sql'>, refundId: string): Promise<void> {
  await sql.query('update refunds set sent_at = null where id = $1 and accepted_at is null', [refundId]);
}

/** What is left of a payment for a refund, in kobo, with everything that went of it, or may have, whoever began it. */
export async function leftOf({ sql }: Pick<Phase, 'sql'>, refund: RefundRow, capture: RefundedCapture): Promise<number> {
  const [gone] = await sql.query<{ kobo: number }>(
    `select coalesce(sum(amount_kobo), 0)::bigint as kobo from refunds
     where capture_id = $1 and id <> $2 and status in ('processing', 'completed')`,
    [capture.id, refund.id],
  );
  return capture.amount_kobo - gone!.kobo;
}
