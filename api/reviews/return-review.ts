import { route } from '../http/route.ts';
import { decide } from './decide.ts';
import { decideReviewBody, review } from './schemas.ts';

export const returnReview = route({
  method: 'post',
  path: '/reviews/:id/return',
  operationId: 'returnReview',
  summary: 'Return a review: the money in question goes back to the payer',
  credential: 'decide refunds',
  body: decideReviewBody,
  answers: { 200: review },
  refusals: ['invalid_state'],
  handle: (call) => decide(call, 'returned'),
});
