import { formatNaira } from '../../shared/money.ts';
import { follow } from '../../shared/transitions.ts';
import type { StatedCapture } from '../capture/capture.ts';
import {
  about,
  type ChargeDecision,
  type ChargeEffect,
  type ChargePatch,
  type ChargeState,
  enter,
  note,
  OPENED,
  recordCapture,
  statusesDueAfter,
} from './decision.ts';
import { type ChargeStatus, chargeTransitions } from './transitions.ts';

/**
 * The charge is paid. One that its provider has reversed is recorded too, and its refund next; but
 * no event says that it was paid, and its link may be paid again.
 */
export function applyCapture(charge: ChargeState, stated: StatedCapture): ChargeDecision {
  const { isReversed = false } = stated;
  const excess = isReversed ? [] : excessEffects(charge, stated);
  const effects = [recordCapture(stated, 'applied'), ...excess];
  const patch = paidPatch(charge, stated);
  const paid = follow(chargeTransitions, charge.status, 'paid');
  if (paid === undefined) return { patch, effects };
  const wholeKobo = Math.min(charge.amountKobo, stated.amountKobo);
  const statuses = [
    // It was pending before it was paid, though nobody reported that.
    ...(charge.status === 'initiated' ? ['pending' as const] : []),
    paid,
    ...statusesDueAfter(paid, charge, wholeKobo),
  ];
  const sentences: Partial<Record<ChargeStatus, string>> = {
    pending: OPENED,
    succeeded: sentenceOf(stated),
  };
  const moves = statuses.flatMap((status) =>
    enter(status, { detail: sentences[status] ?? null, ...about(stated) }),
  );
  return {
    status: statuses.at(-1)!,
    patch,
    effects: [
      ...effects,
      ...(isReversed ? [] : linkEffects(charge, stated)),
      ...moves,
      ...(isReversed ? [] : [{ type: 'publish', event: 'charge.succeeded' } as const]),
    ],
  };
}

function excessEffects(charge: ChargeState, stated: StatedCapture): ChargeEffect[] {
  const amountKobo = stated.amountKobo - charge.amountKobo;
  if (amountKobo <= 0) return [];
  const detail = `The payer paid ${formatNaira(amountKobo)} more than was asked; it is in review.`;
  const { captureId } = stated;
  return [
    { type: 'open review', review: { reason: 'overpaid', detail, captureId, amountKobo } },
    note('overpaid', { detail, ...about(stated) }),
  ];
}

/** A later payment of the link pays its charge all the same, and a person looks at it. */
function linkEffects({ id, link }: ChargeState, stated: StatedCapture): ChargeEffect[] {
  if (link === null || link.paidBy === id) return [];
  if (link.paidBy === null) return [{ type: 'pay link', linkId: link.id }];
  const detail =
    `The payment link was paid by ${link.paidBy} before; ` +
    'this payment came on top of it and is in review.';
  const { captureId, amountKobo } = stated;
  return [
    { type: 'open review', review: { reason: 'link_paid_before', detail, captureId, amountKobo } },
    note('link_paid_before', { detail }),
  ];
}

function sentenceOf({ amountKobo, channel }: StatedCapture): string {
  return `${formatNaira(amountKobo)} was paid by ${channelWords[channel]}.`;
}

const channelWords: Record<StatedCapture['channel'], string> = {
  ...{ card: 'card', bank_transfer: 'bank transfer', ussd: 'USSD', qr: 'QR code' },
  ...{ mobile_money: 'mobile money', other: 'another channel' },
};

function paidPatch(charge: ChargeState, stated: StatedCapture): ChargePatch {
  return {
    ...(stated.feeKobo !== null && { feeKobo: stated.feeKobo }),
    captureId: stated.captureId,
    channel: stated.channel,
    providerReference: stated.providerPaymentId,
    slot: stated.slot,
    connectionId: stated.connectionId,
    failureMessage: null,
    failureCause: null,
    failedAt: null,
    firstFailedAt: null,
    occurredAt: paidAt(stated),
    ...(charge.status === 'failed' && { recovered: true }),
    ...(charge.retrying && { retrying: false }),
  };
}

/** Not before its attempt: a provider's clock may run behind ours. */
function paidAt({ capturedAt, attemptedAt }: StatedCapture): Date {
  return capturedAt < attemptedAt ? attemptedAt : capturedAt;
}
