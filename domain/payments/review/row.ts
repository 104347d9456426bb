import type { RowOf } from '../../shared/columns.ts';
import { referenceOf } from '../../shared/ids.ts';
import type { Attempt } from '../entities/attempt.ts';
import type { Capture } from '../entities/capture.ts';
import type { Review } from '../entities/review.ts';
import type { ReviewReason } from '../entities/review-reasons.ts';

/** A review to open. */
export interface NewReview {
  reason: ReviewReason;
  /** What a person should look at, in a sentence. */
  detail: string;
  /** The payment it is about, where there is one. */
  captureId: string | null;
  /** The amount in question, where there is one. */
  amountKobo: number | null;
}

/** A review, with the SV number of its charge and the payment it is about. */
export type ReviewRow = RowOf<typeof Review> & { number: number; payment: ReviewedPayment | null };

/** The payment a review is about. */
export type ReviewedPayment = Pick<
  RowOf<typeof Capture>,
  'provider_payment_id' | 'amount_kobo' | 'payer_fee_kobo' | 'currency' | 'status'
> &
  Pick<RowOf<typeof Attempt>, 'slot'>;

/** The review object: every field always present, money integer kobo, times ISO 8601 UTC. */
export function reviewView(review: ReviewRow) {
  const { payment } = review;
  return {
    object: 'review' as const,
    id: review.id,
    reference: referenceOf(review.number),
    transaction_id: review.charge_id,
    reason: review.reason,
    detail: review.detail,
    amount_kobo: review.amount_kobo,
    payment: payment && {
      provider: payment.slot,
      provider_reference: payment.provider_payment_id,
      amount_kobo: payment.amount_kobo,
    },
    status: review.status,
    decided_by: review.decided_by,
    decided_at: review.decided_at?.toISOString() ?? null,
    created_at: review.created_at.toISOString(),
    mode: review.mode,
  };
}
