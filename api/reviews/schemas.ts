import { type ReviewReason, reviewReasons } from '../../domain/payments/charge/transitions.ts';
import { reviewStatuses } from '../../domain/payments/review/transitions.ts';
import { slots } from '../../domain/shared/slot.ts';
import { type PageQuery, pageQuery } from '../http/cursor.ts';
import {
  id,
  input,
  kobo,
  listOf,
  mode,
  nullable,
  object,
  reference,
  string,
  text,
  time,
} from '../http/schema.ts';

export const reviewsQuery = input([], {
  ...pageQuery,
  status: { enum: ['open', 'closed'] },
  reason: { enum: reviewReasons },
});

export interface ReviewsQuery extends PageQuery {
  status?: 'open' | 'closed';
  reason?: ReviewReason;
}

/** The body of `POST /reviews/{id}/accept` and `/return`. */
export const decisionBody = input([], { note: text(500) });

export interface DecisionBody {
  note?: string;
}

export const review = object('Review', {
  object: { const: 'review' },
  id: id('rev'),
  reference,
  transaction_id: id('txn'),
  reason: { enum: reviewReasons },
  detail: string,
  amount_kobo: nullable(kobo),
  payment: nullable(
    object('ReviewedPayment', {
      provider: { enum: slots },
      provider_reference: string,
      amount_kobo: kobo,
    }),
  ),
  status: { enum: reviewStatuses },
  decided_by: nullable(string),
  decided_at: nullable(time),
  created_at: time,
  mode,
});

export const reviews = listOf(review);
