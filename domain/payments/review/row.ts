import type { RowOf } from '../../shared/columns.ts';
import { referenceOf } from '../../shared/ids.ts';
import type { Attempt } from '../entities/attempt.ts';
import type { Capture } from '../entities/capture.ts';
import type { Review } from '../entities/review.ts';
import type { ReviewReason } from '../entities/review-reasons.ts';

export interface NewReview {
  reason: ReviewReason;
  /** What to look at, in a sentence. */
  detail: string;
  captureId: string | null;
  /** What is in question. */
  amountKobo: number | null;
}

export type ReviewRow = RowOf<typeof Review> & { number: number; payment: ReviewedPayment | null };

export type ReviewedPayment = Pick<
  RowOf<typeof Capture>,
  'provider_payment_id' | 'amount_kobo' | 'payer_fee_kobo' | 'kept_kobo' | 'currency' | 'status'
> &
  Pick<RowOf<typeof Attempt>, 'slot'>;

/** The API's object. Times ISO 8601 UTC. */
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
    first_approved_at: review.first_approved_at?.toISOString() ?? null,
    decided_by: review.decided_by,
    decided_at: review.decided_at?.toISOString() ?? null,
    created_at: review.created_at.toISOString(),
    mode: review.mode,
  };
}
