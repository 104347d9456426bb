import { findReview, noSuchReview } from '../../domain/payments/review/find.ts';
import { reviewView } from '../../domain/payments/review/row.ts';
import { pathId } from '../http/path-id.ts';
import { route } from '../http/route.ts';
import { review } from './schemas.ts';

export const getReview = route({
  method: 'get',
  path: '/reviews/:id',
  operationId: 'getReview',
  summary: 'Read a review',
  credential: 'read',
  answers: { 200: review },
  async handle({ context, caller, params }) {
    return {
      status: 200,
      body: reviewView(
        await findReview(context.db, await caller(), pathId(params, 'rev', noSuchReview)),
      ),
    };
  },
});
