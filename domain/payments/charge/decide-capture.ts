import { formatNaira } from '../../shared/money.ts';
import { type KnownCapture, paidInAll, type StatedCapture } from '../capture/capture.ts';
import type { ReviewReason } from '../entities/review-reasons.ts';
import { applyCapture } from './apply-capture.ts';
import { about, recordCapture } from './capture-effects.ts';
import { decideFee, decideIncrease } from './decide-known-capture.ts';
import {
  appliedCapture,
  askPerson,
  type ChargeDecision,
  type ChargeEffect,
  type ChargeState,
  note,
} from './decision.ts';
import { mismatchOf } from './mismatch.ts';

/**
 * Money taken at a provider. A payment that is not this charge's is put on hold for a person, and
 * so is too little for an unpaid charge; the first that fits is applied; any other is a duplicate
 * and goes back to the payer. A payment that is on record changes only when its amount increases or
 * its fee is stated.
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
  if (stated.amountKobo <= known.amountKobo) return decideFee(known, stated);
  if (known.status !== 'on_hold') return decideIncrease(charge, known, stated);
  return classifyAgain(charge, known, stated);
}

/**
 * A person accepts a payment on hold as the charge's own, though it is too little or does not
 * match.
 */
export function acceptCapture(charge: ChargeState, stated: StatedCapture): ChargeDecision {
  return withEarlierRefunds(applyCapture(charge, stated));
}

function classify(charge: ChargeState, stated: StatedCapture): ChargeDecision {
  const mismatch = mismatchOf(charge, stated);
  if (mismatch !== undefined) return hold(stated, 'capture_mismatch', mismatch);
  if (appliedCapture(charge)) return sendBack(stated);
  if (stated.amountKobo >= charge.amountKobo) return applyCapture(charge, stated);
  const amounts = `${formatNaira(stated.amountKobo)} of ${formatNaira(charge.amountKobo)}`;
  return hold(stated, 'underpaid', `The payer paid less than was asked: ${amounts}.`);
}

/**
 * A payment on hold whose amount increased is classified again, so the review of what it was is
 * resolved first.
 */
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

/**
 * A duplicate is recorded, and a system refund sends it back to the payer, with the fee where they
 * bore it.
 */
function sendBack(stated: StatedCapture): ChargeDecision {
  const { captureId } = stated;
  const paidKobo = paidInAll(stated);
  const detail = `The payer paid again: ${formatNaira(paidKobo)} goes back.`;
  return {
    patch: {},
    effects: [
      recordCapture(stated, 'duplicate'),
      note('extra_capture', { detail, ...about(stated) }),
      {
        type: 'open system refund',
        captureId,
        paidKobo,
        excessKobo: paidKobo,
        reason: 'It was paid a second time.',
      },
    ],
  };
}

/** A payment on hold is recorded and opens a review; the charge stays as it is. */
function hold(stated: StatedCapture, reason: ReviewReason, detail: string): ChargeDecision {
  const { captureId, amountKobo } = stated;
  return {
    patch: {},
    effects: [
      recordCapture(stated, 'on_hold'),
      { type: 'open review', review: { reason, detail, captureId, amountKobo } },
      note(reason, { detail, ...about(stated) }),
    ],
  };
}

/**
 * One payment cannot pay two charges: it stays with the first, and a person looks at the second.
 */
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
