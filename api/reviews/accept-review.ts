import { route } from '../http/route.ts';
import { decide } from './decide.ts';
import { decideReviewBody, review } from './schemas.ts';

export const acceptReview = route({
  method: 'post',
  path: '/reviews/:id/accept',
  operationId: 'acceptReview',
  summary: 'Accept a review: take the payment as it is, or note what the provider reported',
  credential: 'decide refunds',
  body: decideReviewBody,
  answers: { 200: review },
  refusals: ['invalid_state'],
  handle: (call) => decide(call, 'accepted'),
});
