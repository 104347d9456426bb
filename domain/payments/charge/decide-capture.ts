import { formatNaira } from '../../shared/money.ts';
import {
  excessOf,
  type KnownCapture,
  paidInAll,
  returnableOf,
  type StatedCapture,
} from '../capture/capture.ts';
import type { ReviewReason } from '../entities/review-reasons.ts';
import { applyCapture } from './apply-capture.ts';
import {
  about,
  appliedCapture,
  askPerson,
  type ChargeDecision,
  type ChargeEffect,
  type ChargeState,
  move,
  note,
  OPENED,
  recordCapture,
} from './decision.ts';

/**
 * Money that is not this charge's, or too little, is put on hold; the first that fits is applied;
 * any other goes back. One on record changes only when its amount grows or another fee is stated.
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
  if (!hasIncreased(known, stated)) return decideFee(known, stated);
  if (known.status !== 'on_hold') return decideIncrease(charge, known, stated);
  return classifyAgain(charge, known, stated);
}

/** A duplicate goes back with the fee its payer bore, so that is no increase. */
function hasIncreased(known: KnownCapture, stated: StatedCapture): boolean {
  return known.status === 'duplicate'
    ? paidInAll(stated) > paidInAll(known)
    : stated.amountKobo > known.amountKobo;
}

/** A person accepts it though it is too little or does not match. */
export function acceptCapture(charge: ChargeState, stated: StatedCapture): ChargeDecision {
  return withEarlierRefunds(applyCapture(charge, stated));
}

function classify(charge: ChargeState, stated: StatedCapture): ChargeDecision {
  const mismatch = mismatchOf(charge, stated);
  if (mismatch !== undefined) return hold(stated, 'capture_mismatch', mismatch);
  if (appliedCapture(charge)) return sendBack(stated);
  if (stated.amountKobo >= charge.amountKobo) return applyCapture(charge, stated);
  const amounts = `${formatNaira(stated.amountKobo)} of ${formatNaira(charge.amountKobo)}`;
  const held = hold(stated, 'underpaid', `The payer paid less than was asked: ${amounts}.`);
  // It was opened, though nobody reported that.
  const { slot, connectionId } = stated;
  const opened = move(charge, 'opened', { slot, connectionId }, OPENED);
  return opened ? { ...opened, effects: [...opened.effects, ...held.effects] } : held;
}

/** The review of what it was is resolved first. */
function classifyAgain(
  charge: ChargeState,
  { id, feeKobo: knownKobo }: KnownCapture,
  stated: StatedCapture,
): ChargeDecision {
  const feeKobo = stated.feeKobo ?? knownKobo;
  const decision = withEarlierRefunds(classify(charge, { ...stated, captureId: id, feeKobo }));
  const resolved: ChargeEffect = { type: 'resolve review', reason: 'underpaid', captureId: id };
  return { ...decision, effects: [resolved, ...decision.effects] };
}

function withEarlierRefunds(decision: ChargeDecision): ChargeDecision {
  const isApplied = decision.patch.captureId !== undefined;
  return isApplied
    ? { ...decision, effects: [...decision.effects, { type: 'count earlier refunds' }] }
    : decision;
}

/** A system refund sends it back, with the fee its payer bore, unless its provider reversed it. */
function sendBack(stated: StatedCapture): ChargeDecision {
  const { captureId, isReversed = false } = stated;
  const paidKobo = paidInAll(stated);
  const amount = formatNaira(paidKobo);
  const detail = isReversed
    ? `The payer paid again: the provider reversed ${amount}.`
    : `The payer paid again: ${amount} goes back.`;
  const reason = 'It was paid a second time.';
  const returned: ChargeEffect = { type: 'return duplicate', captureId, paidKobo, reason };
  return {
    patch: {},
    effects: [
      recordCapture(stated, 'duplicate'),
      note('extra_capture', { detail, ...about(stated) }),
      ...(isReversed ? [] : [returned]),
    ],
  };
}

/** The review is about all that may go back. */
function hold(stated: StatedCapture, reason: ReviewReason, detail: string): ChargeDecision {
  const { captureId } = stated;
  const amountKobo = paidInAll(stated);
  return {
    patch: {},
    effects: [
      recordCapture(stated, 'on_hold'),
      { type: 'open review', review: { reason, detail, captureId, amountKobo } },
      note(reason, { detail, ...about(stated) }),
    ],
  };
}

/** It stays with the first charge, and a person looks at the second. */
function claimedElsewhere(known: KnownCapture, stated: StatedCapture): ChargeDecision {
  const detail = `The provider's payment ${stated.providerPaymentId} belongs to ${known.chargeId}.`;
  const review = {
    reason: 'capture_mismatch',
    detail,
    captureId: null,
    amountKobo: stated.amountKobo,
  } as const;
  return { ...askPerson(review, about(stated)), unlessAsked: review };
}

/** The status stays; a person looks at what the charge does not need. */
function decideIncrease(
  charge: ChargeState,
  known: KnownCapture,
  stated: StatedCapture,
): ChargeDecision {
  const { id: captureId, status, keptKobo } = known;
  const { amountKobo, payerFeeKobo = 0 } = stated;
  const isApplied = status === 'applied';
  const paidKobo = returnableOf({ amountKobo, payerFeeKobo }, isApplied);
  const inQuestionKobo = excessOf(charge, { isApplied, paidKobo }) - keptKobo;
  // A charge accepted for less takes the rest, unless it was refunded in full.
  const isNeeded = inQuestionKobo <= 0;
  const total = formatNaira(amountKobo);
  const detail =
    `More was paid under the same payment: ${total} in all.` +
    (isNeeded ? '' : ' What is too much is in review.');
  const reason = isApplied && amountKobo > charge.amountKobo ? 'overpaid' : 'extra_capture';
  const review = { reason, detail, captureId, amountKobo: inQuestionKobo } as const;
  const fee = decideFee(known, stated);
  return {
    patch: fee?.patch ?? {},
    effects: [
      { type: 'increase capture', id: captureId, amountKobo, payerFeeKobo },
      ...(isNeeded ? [] : [{ type: 'open review', review } as const]),
      note('grown', { detail }),
      ...(fee?.effects ?? []),
    ],
  };
}

function decideFee(
  { id, status, feeKobo: knownKobo }: KnownCapture,
  { feeKobo, attemptId }: StatedCapture,
): ChargeDecision | undefined {
  if (feeKobo === null || feeKobo === knownKobo) return undefined;
  const recorded: ChargeEffect = { type: 'record capture fee', id, feeKobo };
  if (status !== 'applied') return { patch: {}, effects: [recorded] };
  const before = knownKobo === null ? '' : `, not ${formatNaira(knownKobo)}`;
  const detail = `The provider stated its fee: ${formatNaira(feeKobo)}${before}.`;
  return { patch: { feeKobo }, effects: [recorded, note('fee', { detail, attemptId })] };
}

/** How far clocks may differ. */
const CLOCK_SKEW_MS = 5 * 60_000;

/** Undefined: it fits. */
function mismatchOf(
  charge: { currency: string; mode: string },
  stated: StatedCapture,
): string | undefined {
  if (stated.reference !== stated.attemptReference) return 'The payment carries another reference.';
  if (stated.currency !== charge.currency)
    return `The payment is in ${stated.currency || 'no known currency'}, not ${charge.currency}.`;
  if (stated.mode !== null && stated.mode !== charge.mode)
    return `The payment was made in ${stated.mode} mode.`;
  if (
    stated.createdAt !== null &&
    stated.createdAt.getTime() < stated.attemptedAt.getTime() - CLOCK_SKEW_MS
  ) {
    return 'The payment is older than our attempt.';
  }
  return undefined;
}
