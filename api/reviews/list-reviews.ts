import { listReviews as selectReviews } from '../../domain/payments/review/find.ts';
import { reviewView } from '../../domain/payments/review/row.ts';
import { listReply, pageOf } from '../http/cursor.ts';
import { route } from '../http/route.ts';
import { reviews, reviewsQuery } from './schemas.ts';

const LIST = 'reviews';

export const listReviews = route({
  method: 'get',
  path: '/reviews',
  operationId: 'listReviews',
  summary: 'List reviews, newest first, by reason and by whether they wait for a decision',
  credential: 'read',
  query: reviewsQuery,
  answers: { 200: reviews },
  async handle({ context, caller, query }) {
    const who = await caller();
    const page = pageOf(who, LIST, query);
    const { status, reason } = query;
    const isOpen = status === undefined ? undefined : status === 'open';
    const wanted = { isOpen, reason, before: page.before, limit: page.limit + 1 };
    const rows = await context.read((db) => selectReviews(db, who, wanted));
    return listReply(who, LIST, page, rows, reviewView);
  },
});
