import { listReviews as selectReviews } from '../../domain/payments/review/find.ts';
import { reviewView } from '../../domain/payments/review/row.ts';
import { listRoute } from '../http/cursor.ts';
import { reviews, reviewsQuery } from './schemas.ts';

export const listReviews = listRoute({
  path: '/reviews',
  operationId: 'listReviews',
  summary: 'List reviews, newest first, by reason and by whether they wait for a decision',
  credential: 'read',
  query: reviewsQuery,
  answer: reviews,
  async list({ context, query: { status, reason } }, caller, page) {
    const isOpen = status === undefined ? undefined : status === 'open';
    const rows = await context.read((db) => selectReviews(db, caller, { ...page, isOpen, reason }));
    return rows.map(reviewView);
  },
});
