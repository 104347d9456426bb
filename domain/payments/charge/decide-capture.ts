import { formatNaira } from '../../shared/money.ts';
import { follow } from '../../shared/transitions.ts';
import type { KnownCapture, StatedCapture } from '../capture/capture.ts';
import type { CaptureStatus } from '../capture/transitions.ts';
import type { ReviewReason } from '../entities/review-reasons.ts';
import {
  appliedCapture,
  askPerson,
  type ChargeDecision,
  type ChargeEffect,
  type ChargePatch,
  type ChargeState,
  enter,
  note,
  OPENED,
  statusesDueAfter,
} from './decision.ts';
import { mismatchOf } from './mismatch.ts';
import { type ChargeStatus, chargeTransitions } from './transitions.ts';

/**
 * Money taken at a provider. What is not this charge's, or too little, is put on hold for a person; the first that fits is applied; any
 * other is a duplicate and goes back to the payer. A payment that is on record changes only by growing, or when its fee is stated.
 */
export function decideCapture(
  charge: ChargeState,
  stated: StatedCapture,
): ChargeDecision | undefined {
  const known = charge.captures.find(
    ({ connectionId, providerPaymentId }) =>
      connectionId === stated.connectionId && providerPaymentId === stated.providerPaymentId,
  );
  if (!known) return classify(charge, stated);
  if (known.chargeId !== charge.id) return claimedElsewhere(known, stated);
  if (stated.amountKobo <= known.amountKobo) return recordFee(known, stated);
  if (known.status !== 'on_hold') return grow(charge, known, stated);
  return classifyAgain(charge, known, stated);
}

/** A person takes what was on hold as the charge's own, though it is too little or does not match. */
export function acceptCapture(charge: ChargeState, stated: StatedCapture): ChargeDecision {
  return withEarlierRefunds(apply(charge, stated));
}

function classify(charge: ChargeState, stated: StatedCapture): ChargeDecision {
  const mismatch = mismatchOf(charge, stated);
  if (mismatch !== undefined) return hold(stated, 'capture_mismatch', mismatch);
  if (appliedCapture(charge)) return sendBack(stated);
  if (stated.amountKobo >= charge.amountKobo) return apply(charge, stated);
  const amounts = `${formatNaira(stated.amountKobo)} of ${formatNaira(charge.amountKobo)}`;
  return hold(stated, 'underpaid', `The payer paid less than was asked: ${amounts}.`);
}

/** A payment on hold that has grown is classified anew, so the question about what it was is resolved first. */
function classifyAgain(
  charge: ChargeState,
  { id }: KnownCapture,
  stated: StatedCapture,
): ChargeDecision {
  const decision = withEarlierRefunds(classify(charge, { ...stated, captureId: id }));
  const resolved: ChargeEffect = { type: 'resolve review', reason: 'underpaid', captureId: id };
  return { ...decision, effects: [resolved, ...decision.effects] };
}

/** Of a payment that was on hold, some may have gone back before it is applied. */
function withEarlierRefunds(decision: ChargeDecision): ChargeDecision {
  const isApplied = decision.patch.captureId !== undefined;
  return isApplied
    ? { ...decision, effects: [...decision.effects, { type: 'count earlier refunds' }] }
    : decision;
}

function apply(charge: ChargeState, stated: StatedCapture): ChargeDecision {
  const excess = excessEffects(charge, stated);
  const effects = [record(stated, 'applied'), ...excess];
  const patch = paidPatch(charge, stated);
  const paid = follow(chargeTransitions, charge.status, 'paid');
  if (paid === undefined) return { patch, effects };
  const wholeKobo = Math.min(charge.amountKobo, stated.amountKobo);
  const statuses = [
    ...(charge.status === 'initiated' ? ['pending' as const] : []), // both moves happened, the first unseen
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
      ...linkEffects(charge, stated),
      ...moves,
      { type: 'publish', event: 'charge.succeeded' },
    ],
  };
}

/** Of a payment that is too much, only the excess is in question. */
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

/** The first payment of a link is the link's. Money that comes after it is this charge's all the same, and a person looks at it. */
function linkEffects({ id, link }: ChargeState, stated: StatedCapture): ChargeEffect[] {
  if (link === null || link.paidBy === id) return [];
  if (link.paidBy === null) return [{ type: 'pay link', linkId: link.id }];
  const detail = `The payment link was paid by ${link.paidBy} before; this payment came on top of it and is in review.`;
  const { captureId, amountKobo } = stated;
  return [
    { type: 'open review', review: { reason: 'link_paid_before', detail, captureId, amountKobo } },
    note('link_paid_before', { detail }),
  ];
}

/** Recorded, and sent back by a refund of the service's own. */
function sendBack(stated: StatedCapture): ChargeDecision {
  const { captureId, amountKobo } = stated;
  const detail = `The payer paid again: ${formatNaira(amountKobo)} goes back.`;
  return {
    patch: {},
    effects: [
      record(stated, 'duplicate'),
      note('extra_capture', { detail, ...about(stated) }),
      {
        type: 'open system refund',
        captureId,
        paidKobo: amountKobo,
        excessKobo: amountKobo,
        reason: 'It was paid a second time.',
      },
    ],
  };
}

/** Recorded, shown to a person, and without effect on the charge. */
function hold(stated: StatedCapture, reason: ReviewReason, detail: string): ChargeDecision {
  const { captureId, amountKobo } = stated;
  return {
    patch: {},
    effects: [
      record(stated, 'on_hold'),
      { type: 'open review', review: { reason, detail, captureId, amountKobo } },
      note(reason, { detail, ...about(stated) }),
    ],
  };
}

/** One payment cannot pay two charges: it stays the first one's, and a person looks at the second. */
function claimedElsewhere(known: KnownCapture, stated: StatedCapture): ChargeDecision {
  const detail = `The provider's payment ${stated.providerPaymentId} already belongs to ${known.chargeId}.`;
  const review = {
    reason: 'capture_mismatch',
    detail,
    captureId: null,
    amountKobo: stated.amountKobo,
  } as const;
  return { ...askPerson(review, about(stated)), unlessAsked: review };
}

/** What it was is decided already; what came on top is a person's to look at. */
function grow(charge: ChargeState, known: KnownCapture, stated: StatedCapture): ChargeDecision {
  const { id: captureId, status } = known;
  const { amountKobo } = stated;
  const isApplied = status === 'applied';
  const isMore = amountKobo > charge.amountKobo;
  // What was paid short is made up for; not so where all of it has gone back.
  const isFine = isApplied && !isMore && charge.status !== 'refunded';
  const detail = `More came under the same payment: it is ${formatNaira(amountKobo)} by now.${isFine ? '' : ' What is too much is in review.'}`;
  const review =
    isApplied && isMore
      ? ({ reason: 'overpaid', amountKobo: amountKobo - charge.amountKobo } as const)
      : ({ reason: 'extra_capture', amountKobo } as const);
  return {
    patch: {},
    effects: [
      { type: 'grow capture', id: captureId, amountKobo },
      ...(isFine
        ? []
        : [{ type: 'open review', review: { ...review, detail, captureId } } as const]),
      note('grown', { detail }),
    ],
  };
}

/** A fee the provider had not stated when the capture was recorded is taken over once it does. */
function recordFee(
  { id, status, feeKobo: knownKobo }: KnownCapture,
  { feeKobo, attemptId }: StatedCapture,
): ChargeDecision | undefined {
  if (knownKobo !== null || feeKobo === null) return undefined;
  const recorded: ChargeEffect = { type: 'record capture fee', id, feeKobo };
  if (status !== 'applied') return { patch: {}, effects: [recorded] };
  const detail = `The provider stated its fee: ${formatNaira(feeKobo)}.`;
  return { patch: { feeKobo }, effects: [recorded, note('fee', { detail, attemptId })] };
}

function record(capture: StatedCapture, status: CaptureStatus): ChargeEffect {
  return { type: 'record capture', id: capture.captureId, status, capture };
}

function about({ amountKobo, attemptId }: StatedCapture) {
  return { amountKobo, attemptId };
}

function sentenceOf({ amountKobo, channel }: StatedCapture): string {
  return `${formatNaira(amountKobo)} was paid by ${channel.replace('_', ' ')}.`;
}

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
    occurredAt: paidAt(stated),
    ...(charge.status === 'failed' && { recovered: true }),
  };
}

/** No payment is older than the attempt it answers, so none is older than its charge: a provider's clock may run behind ours. */
function paidAt({ capturedAt, attemptedAt }: StatedCapture): Date {
  return capturedAt < attemptedAt ? attemptedAt : capturedAt;
}
