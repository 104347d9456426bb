import { formatNaira } from '../../shared/money.ts';
import { follow } from '../../shared/transitions.ts';
import { excessOf, leftToReturn, type ReturnSums, returnableOf } from '../capture/capture.ts';
import type { CaptureStatus } from '../capture/transitions.ts';
import type { ReviewReason } from '../entities/review-reasons.ts';
import { type ReviewDecision, type ReviewStatus, reviewTransitions } from './transitions.ts';

export interface ReviewState {
  reason: ReviewReason;
  status: ReviewStatus;
  /** The most that returning it may send back. */
  amountKobo: number | null;
  charge: {
    status: string;
    amountKobo: number;
    refundedKobo: number;
    currency: string;
    hasAppliedCapture: boolean;
  };
  /** Null: no payment of this charge. */
  payment: {
    id: string;
    status: CaptureStatus;
    amountKobo: number;
    payerFeeKobo: number;
    keptKobo: number;
    currency: string;
    returns: ReturnSums;
  } | null;
}

export type ReviewEffect =
  | { type: 'apply capture'; captureId: string }
  /** The merchant keeps it beside the charge, or it goes back. */
  | { type: 'mark capture duplicate'; captureId: string }
  /** Beside what the charge asked for. */
  | { type: 'keep payment'; captureId: string; amountKobo: number }
  | { type: 'open system refund'; captureId: string; amountKobo: number; reason: string }
  | { type: 'ask providers' };

export type ReviewOutcome = { status: ReviewStatus; effects: ReviewEffect[] } | { refusal: string };

/** Pure and total over the reasons. */
export function decideReview(review: ReviewState, decision: ReviewDecision): ReviewOutcome {
  const status = follow(reviewTransitions, review.status, decision);
  if (status === undefined) return { refusal: decidedBefore(review.status) };
  const rule = decision === 'accepted' ? accepting[review.reason] : returning[review.reason];
  const effects = rule(review);
  return 'refusal' in effects ? effects : { status, effects };
}

export function decidedBefore(status: ReviewStatus): string {
  return `This review is not waiting for a decision any more: it is ${status}.`;
}

type Rule = (review: ReviewState) => ReviewEffect[] | { refusal: string };

const nothing: Rule = () => [];
const refuse =
  (refusal: string): Rule =>
  () => ({ refusal });

const accepting: Record<ReviewReason, Rule> = {
  // Where another payment paid the charge meanwhile, the merchant keeps this one beside it.
  underpaid: (review) => {
    const { charge, payment } = review;
    if (!payment) return [];
    const isNeeded = !charge.hasAppliedCapture && !isGone(payment);
    if (isNeeded) return [{ type: 'apply capture', captureId: payment.id }];
    return [{ type: 'mark capture duplicate', captureId: payment.id }, ...keep(review)];
  },
  capture_mismatch: acceptMismatch,
  overpaid: keep,
  extra_capture: keep,
  unknown_status: () => [{ type: 'ask providers' }],
  link_paid_before: nothing,
  dispute: nothing,
  refund_reversed: nothing,
};

/** What is left of what the review asks about, beyond what the charge asked for. */
function keep(review: ReviewState): ReviewEffect[] {
  const { charge, payment } = review;
  if (!payment) return [];
  const ownKobo = payment.status === 'applied' ? charge.amountKobo : 0;
  const amountKobo = Math.min(leftOf(review), paidOf(payment) - ownKobo - payment.keptKobo);
  return amountKobo > 0 ? [{ type: 'keep payment', captureId: payment.id, amountKobo }] : [];
}

function isGone({ amountKobo, returns }: NonNullable<ReviewState['payment']>): boolean {
  return returns.sentKobo >= amountKobo;
}

/** Where the payment belongs to another charge, the decision is only noted. */
function acceptMismatch({ charge, payment }: ReviewState): ReviewEffect[] | { refusal: string } {
  if (!payment) return [];
  if (isGone(payment)) return [{ type: 'mark capture duplicate', captureId: payment.id }];
  if (charge.hasAppliedCapture)
    return { refusal: 'The charge was paid by another payment: return this one.' };
  if (payment.currency !== charge.currency) {
    return {
      refusal:
        `The payment is in ${payment.currency || 'an unknown currency'}, ` +
        `not in ${charge.currency}: return it.`,
    };
  }
  if (payment.amountKobo < charge.amountKobo) {
    const amounts = `${formatNaira(payment.amountKobo)} of ${formatNaira(charge.amountKobo)}`;
    return {
      refusal: `The payment is less than the charge, ${amounts}, and does not fit: return it.`,
    };
  }
  return [{ type: 'apply capture', captureId: payment.id }];
}

const returning: Record<ReviewReason, Rule> = {
  underpaid: sendBackBecause('It was less than was asked.'),
  overpaid: sendBackBecause('It was more than was asked.'),
  extra_capture: sendBackBecause('It was paid a second time.'),
  capture_mismatch: sendBackBecause('It does not fit what was asked.'),
  unknown_status: refuse(
    'There is nothing to return. Look in the provider’s dashboard what the status means, then ' +
      'accept: the provider is asked again.',
  ),
  link_paid_before: refuse(
    'The payment paid this charge: to send it back, request a refund of the charge.',
  ),
  dispute: refuse(
    'The payer’s bank decides about this money: there is nothing to return. Accept once you have ' +
      'looked at it.',
  ),
  refund_reversed: refuse(
    'To send the money back again, request another refund of the charge, then accept.',
  ),
};

/** No more than the review asks about; what went back counts. The provider stores the reason. */
function sendBackBecause(reason: string): Rule {
  return (review) => {
    if (!review.payment)
      return {
        refusal: 'The payment belongs to another charge, so it cannot be returned here: accept.',
      };
    const { id: captureId } = review.payment;
    const amountKobo = leftOf(review);
    if (amountKobo <= 0) return { refusal: NOTHING_LEFT };
    return [
      { type: 'mark capture duplicate', captureId },
      { type: 'open system refund', captureId, amountKobo, reason },
    ];
  };
}

/** In kobo; not above 0: nothing. */
function leftOf({ amountKobo: askedKobo, charge, payment }: ReviewState): number {
  if (!payment) return 0;
  const isApplied = payment.status === 'applied';
  const paidKobo = paidOf(payment);
  const excessKobo = excessOf(charge, { isApplied, paidKobo }) - payment.keptKobo;
  const leftKobo = leftToReturn(payment.returns, { paidKobo, excessKobo });
  return Math.min(leftKobo, askedKobo ?? leftKobo);
}

function paidOf(payment: NonNullable<ReviewState['payment']>): number {
  return returnableOf(payment, payment.status === 'applied');
}

const NOTHING_LEFT =
  'There is nothing left to return: refunds, or a dispute that was lost, sent this money back ' +
  'already. Accept to close the review.';
