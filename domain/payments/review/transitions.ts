import { formatNaira } from '../../shared/money.ts';
import type { CaptureStatus, ReviewReason } from '../charge/transitions.ts';

export const reviewStatuses = ['open', 'accepted', 'returned', 'resolved'] as const;
export type ReviewStatus = (typeof reviewStatuses)[number];
/** What a person decides. */
export type Decision = Extract<ReviewStatus, 'accepted' | 'returned'>;

/** Where a review goes. What was decided stays decided; `resolved` is what answered itself. */
export const reviewTransitions: Record<
  ReviewStatus,
  Partial<Record<Exclude<ReviewStatus, 'open'>, ReviewStatus>>
> = {
  open: { accepted: 'accepted', returned: 'returned', resolved: 'resolved' },
  accepted: {},
  returned: {},
  resolved: {},
};

/** What the rules need to know of a review. */
export interface ReviewState {
  reason: ReviewReason;
  status: ReviewStatus;
  charge: { amountKobo: number; currency: string; hasAppliedCapture: boolean };
  /** The payment it is about; null where it is about none of this charge's. */
  payment: { status: CaptureStatus; amountKobo: number; currency: string } | null;
}

/**
 * What a decision has the service do. `keep`: the payment becomes the charge's own. `keep aside`: the merchant has it, outside the charge.
 * `send back`: what is in question goes back to the payer. `ask again`: the provider is asked anew. `nothing`: it is noted.
 */
export type Deed = 'keep' | 'keep aside' | 'send back' | 'ask again' | 'nothing';

/** What a decision leads to, or why it cannot be made. */
export type Verdict = { deed: Deed } | { refusal: string };

/** Decides what a person's decision means. Pure and total over the reasons. */
export function decideReview(review: ReviewState, decision: Decision): Verdict {
  if (reviewTransitions[review.status][decision] === undefined) {
    return {
      refusal: `This review is not waiting for a decision any more: it is ${review.status}.`,
    };
  }
  return decision === 'accepted'
    ? accepting[review.reason](review)
    : returning[review.reason](review);
}

const nothing = (): Verdict => ({ deed: 'nothing' });
const refuse = (refusal: string) => (): Verdict => ({ refusal });

const accepting: Record<ReviewReason, (review: ReviewState) => Verdict> = {
  // Where another payment was the charge's meanwhile, this one is kept beside it.
  underpaid: ({ charge, payment }) => ({
    deed: !payment ? 'nothing' : charge.hasAppliedCapture ? 'keep aside' : 'keep',
  }),
  capture_mismatch: acceptMismatch,
  overpaid: nothing,
  extra_capture: nothing,
  unknown_status: () => ({ deed: 'ask again' }),
  link_paid_before: nothing,
  dispute: nothing,
};

/** Without a payment it is another charge's, and only noted. */
function acceptMismatch({ charge, payment }: ReviewState): Verdict {
  if (!payment) return { deed: 'nothing' };
  if (charge.hasAppliedCapture)
    return { refusal: 'The charge was paid by another payment: return this one.' };
  if (payment.currency !== charge.currency) {
    return {
      refusal: `The payment is in ${payment.currency || 'no known currency'}, not in ${charge.currency}: return it.`,
    };
  }
  if (payment.amountKobo < charge.amountKobo) {
    const amounts = `${formatNaira(payment.amountKobo)} of ${formatNaira(charge.amountKobo)}`;
    return {
      refusal: `The payment is less than was asked, ${amounts}, and does not fit: return it.`,
    };
  }
  return { deed: 'keep' };
}

const returning: Record<ReviewReason, (review: ReviewState) => Verdict> = {
  underpaid: sendBack,
  overpaid: sendBack,
  extra_capture: sendBack,
  capture_mismatch: sendBack,
  unknown_status: refuse(
    'There is nothing to return: look at the provider what the word means, then accept, and it is asked again.',
  ),
  link_paid_before: refuse(
    'The payment is this charge’s own: to send it back, ask for a refund of the charge (POST /refunds).',
  ),
  dispute: refuse(
    'The payer’s bank has the money, or has decided: there is nothing to return. Accept once you have looked.',
  ),
};

function sendBack({ payment }: ReviewState): Verdict {
  return payment
    ? { deed: 'send back' }
    : { refusal: 'The payment is not this charge’s, so it cannot be returned from here: accept.' };
}
