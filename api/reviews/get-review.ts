import { findReview } from '../../domain/payments/review/find.ts';
import { reviewView } from '../../domain/payments/review/row.ts';
import { readRoute } from '../http/route.ts';
import { review } from './schemas.ts';

export const getReview = readRoute({
  path: '/reviews/:id',
  operationId: 'getReview',
  summary: 'Read a review',
  credential: 'read',
  answer: review,
  read: async ({ db }, caller, id) => reviewView(await findReview(db, caller, id)),
});
