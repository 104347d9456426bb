import { formatNaira } from '../../shared/money.ts';
import { follow } from '../../shared/transitions.ts';
import type { ChargeFact } from '../charge/facts.ts';
import { note, type RefundDecision, type RefundEffect } from './decision.ts';
import type { RefundRow, RefundSource } from './row.ts';
import { isSent, needsPerson, refundTransitions } from './transitions.ts';

export function complete(
  refund: RefundRow,
  appliedCaptureId: string | null,
  completedAt: Date,
): RefundDecision {
  const status = follow(refundTransitions, refund.status, 'completed');
  if (status === undefined) return { status: refund.status, patch: {}, effects: [] };
  const captureId = refund.capture_id!;
  const isOwn = isOfOwnPayment(refund, appliedCaptureId);
  const effects: RefundEffect[] = [
    note(
      refund,
      'completed',
      `${formatNaira(refund.amount_kobo)} went back to the payer (${refund.id}).`,
    ),
    ...(isOwn ? HEARD : []),
    { type: 'resolve reviews of returned payment', captureId },
    ...(captureId === appliedCaptureId && !isOwn && needsPerson(refund.status)
      ? [{ type: 'resolve review of return', captureId } as const]
      : []),
    { type: 'check for money sent twice', captureId },
  ];
  const patch = { failure_message: null, completed_at: completedAt, attention: null, due_at: null };
  return { status, patch, effects };
}

/** What the merchant's bank paid, no payout is less by. */
export function completeOutside(
  refund: RefundRow,
  appliedCaptureId: string | null,
  from: RefundSource,
  now: Date,
): RefundDecision {
  const { patch, ...decision } = complete(refund, appliedCaptureId, now);
  const isDeducted = from === 'provider';
  const paid = { paid_from: from, deducted_kobo: isDeducted ? 0 : refund.amount_kobo };
  return { ...decision, patch: { ...patch, ...paid } };
}

const HEARD: readonly RefundEffect[] = [
  { type: 'publish', event: 'refund.completed' },
  { type: 'count refunds' },
];

/** The merchant hears of these alone: neither system refunds nor those of other payments. */
function isOfOwnPayment(
  { origin, capture_id: captureId }: RefundRow,
  appliedCaptureId: string | null,
): boolean {
  return origin !== 'system' && (captureId === null || captureId === appliedCaptureId);
}

/**
 * A second failure sends no event. Money that is not the charge's is put into review instead,
 * unless it went back another way. The provider of a sent one is asked: a reversal may have been
 * taken for it.
 */
export function fail(
  refund: RefundRow,
  appliedCaptureId: string | null,
  message: string,
  { isReturned }: { isReturned: boolean },
): RefundDecision {
  const status = follow(refundTransitions, refund.status, 'failed');
  const patch = { attention: null, due_at: null };
  if (refund.status === 'failed' || refund.status === 'reappeared')
    return { status: 'failed', patch, effects: [] };
  if (status === undefined) return { status: refund.status, patch: {}, effects: [] };
  const { amount_kobo: amountKobo, id, capture_id: captureId } = refund;
  const isOwn = isOfOwnPayment(refund, appliedCaptureId);
  const notReturned: ChargeFact = {
    type: 'not returned',
    captureId: captureId!,
    amountKobo,
    message,
  };
  const effects: RefundEffect[] = [
    note(refund, 'failed', `${formatNaira(amountKobo)} did not go back: ${message} (${id}).`),
    ...(isOwn ? [{ type: 'publish', event: 'refund.failed' } as const] : []),
    ...(isOwn || isReturned ? [] : [{ type: 'advance charge', fact: notReturned } as const]),
    ...(isSent(refund.status) && !isReturned ? [{ type: 'ask providers' } as const] : []),
  ];
  return { status, patch: { ...patch, failure_message: message, completed_at: null }, effects };
}

/** It counts as refunded no more; a person looks at it in any case. */
export function comeBack(
  refund: RefundRow,
  appliedCaptureId: string | null,
  message: string,
): RefundDecision {
  const status = follow(refundTransitions, refund.status, 'came back') ?? refund.status;
  const { amount_kobo: amountKobo, id } = refund;
  const captureId = refund.capture_id!;
  const isOwn = isOfOwnPayment(refund, appliedCaptureId);
  const detail = `${formatNaira(amountKobo)} came back after the refund was completed: ${message} (${id}).`;
  const notReturned: ChargeFact = { type: 'not returned', captureId, amountKobo, message };
  const effects: RefundEffect[] = [
    note(refund, 'failed', detail),
    ...(isOwn ? [{ type: 'publish', event: 'refund.failed' } as const] : []),
    isOwn
      ? { type: 'count refunds less one', captureId, amountKobo, detail }
      : { type: 'advance charge', fact: notReturned },
  ];
  const patch = { failure_message: message, completed_at: null, attention: null, due_at: null };
  return { status, patch, effects };
}
