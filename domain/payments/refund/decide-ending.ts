import { formatNaira } from '../../shared/money.ts';
import { follow } from '../../shared/transitions.ts';
import type { ChargeFact } from '../charge/facts.ts';
import { note, type RefundDecision, type RefundEffect } from './decision.ts';
import type { RefundRow } from './row.ts';
import { needsPerson, refundTransitions } from './transitions.ts';

/** The refund's money went back. */
export function complete(
  refund: RefundRow,
  appliedCaptureId: string | null,
  completedAt: Date,
): RefundDecision {
  const status = follow(refundTransitions, refund.status, 'completed');
  if (status === undefined) return { status: refund.status, patch: {}, effects: [] };
  const isOwn = refund.origin !== 'system';
  const captureId = refund.capture_id!;
  const effects: RefundEffect[] = [
    note(
      refund,
      'completed',
      `${formatNaira(refund.amount_kobo)} went back to the payer (${refund.id}).`,
    ),
    ...(isOwn ? [{ type: 'publish', event: 'refund.completed' } as const] : []),
    ...(captureId !== appliedCaptureId
      ? [{ type: 'resolve reviews of returned payment', captureId } as const]
      : isOwn
        ? [{ type: 'count refunds' } as const]
        : needsPerson(refund.status)
          ? [{ type: 'resolve review of return', captureId } as const]
          : []),
    { type: 'check for money sent twice', captureId },
  ];
  const patch = {
    failure_message: null,
    completed_at: completedAt,
    attention: null,
    due_at: null,
  };
  return { status, patch, effects };
}

/**
 * The refund's money did not go back. A refund that failed before sends no second event. The
 * merchant gets no event for a refund the service makes by itself; it is put into review instead,
 * unless the money went back another way.
 */
export function fail(
  refund: RefundRow,
  message: string,
  { isReturned }: { isReturned: boolean },
): RefundDecision {
  const status = follow(refundTransitions, refund.status, 'failed');
  const patch = { attention: null, due_at: null };
  if (refund.status === 'failed' || refund.status === 'reappeared')
    return { status: 'failed', patch, effects: [] };
  if (status === undefined) return { status: refund.status, patch: {}, effects: [] };
  const { amount_kobo: amountKobo, id, capture_id: captureId } = refund;
  const isOwn = refund.origin !== 'system';
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
  ];
  return { status, patch: { ...patch, failure_message: message, completed_at: null }, effects };
}
