import { referenceOf } from '../../shared/ids.ts';
import type { Mode } from '../../shared/reader.ts';
import type { Slot } from '../../shared/slot.ts';
import type { CaptureStatus } from '../capture/transitions.ts';
import type { ReviewStatus } from './transitions.ts';

/** Why a person should look at a charge. */
export const reviewReasons = [
  'underpaid',
  'overpaid',
  'extra_capture',
  'capture_mismatch',
  'unknown_status',
  'link_paid_before',
  'dispute',
] as const;
export type ReviewReason = (typeof reviewReasons)[number];

/** What a person should look at. */
export interface NewReview {
  reason: ReviewReason;
  /** In a sentence. */
  detail: string;
  /** The payment it is about, where there is one. */
  captureId: string | null;
  /** What is in question, where it is money. */
  amountKobo: number | null;
}

/** A review as its row holds it, with what it shows of its charge and of the payment it is about. Times UTC. */
export interface ReviewRow {
  id: string;
  /** The SV number of its charge. */
  number: number;
  tenant_id: string;
  mode: Mode;
  charge_id: string;
  capture_id: string | null;
  reason: ReviewReason;
  detail: string;
  amount_kobo: number | null;
  status: ReviewStatus;
  /** The member or operator who decided; null while nobody has, and for what was resolved without a decision. */
  decided_by: string | null;
  decided_at: Date | null;
  created_at: Date;
  payment: ReviewedPayment | null;
}

/** The payment a review is about. */
export interface ReviewedPayment {
  slot: Slot;
  provider_payment_id: string;
  amount_kobo: number;
  currency: string;
  status: CaptureStatus;
}

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
