import { acceptOrReturnReview } from '../../domain/payments/commands/accept-or-return-review.ts';
import { reviewView } from '../../domain/payments/review/row.ts';
import { changeRoute } from '../http/idempotency.ts';
import { returnReviewBody, review } from './schemas.ts';

export const returnReview = changeRoute({
  path: '/reviews/:id/return',
  operationId: 'returnReview',
  summary:
    'Return a review: the money in question goes back to the payer. Where the business wants two ' +
    'Owners for that, the first approval leaves it `open`, with `first_approved_at`',
  credential: 'decide reviews',
  body: returnReviewBody,
  answers: { 200: review },
  refusals: ['invalid_state'],
  async change(tx, owner, { id, body: { note = null, paid_from: paidFrom } }) {
    const decision = { id, decision: 'returned' as const, paidFrom, note };
    return reviewView(await acceptOrReturnReview(tx, owner, decision));
  },
});
