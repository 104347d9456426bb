import { acceptOrReturnReview } from '../../domain/payments/commands/accept-or-return-review.ts';
import { reviewView } from '../../domain/payments/review/row.ts';
import { changeRoute } from '../http/idempotency.ts';
import { acceptReviewBody, review } from './schemas.ts';

export const acceptReview = changeRoute({
  path: '/reviews/:id/accept',
  operationId: 'acceptReview',
  summary: 'Accept a review: take the payment as it is, or note what the provider reported',
  credential: 'decide reviews',
  body: acceptReviewBody,
  answers: { 200: review },
  refusals: ['invalid_state'],
  async change(tx, owner, { id, body: { note = null } }) {
    const decision = { id, decision: 'accepted' as const, note };
    return reviewView(await acceptOrReturnReview(tx, owner, decision));
  },
});
