import { findReview, listReviews, noSuchReview } from '../../domain/payments/review/find.ts';
import { reviewView } from '../../domain/payments/review/row.ts';
import { isId } from '../../domain/shared/ids.ts';
import { listReply, pageOf } from '../http/cursor.ts';
import type { Route } from '../http/route.ts';
import { type ReviewsQuery, review, reviews, reviewsQuery } from './schemas.ts';

const LIST = 'reviews';

export const listOfReviews: Route<never, ReviewsQuery> = {
  method: 'get',
  path: '/reviews',
  summary:
    'List what a person should look at, newest first, by what it is and whether it still waits',
  may: 'read',
  query: reviewsQuery,
  answers: { 200: reviews },
  async handle({ context, caller, query }) {
    const who = await caller();
    const page = pageOf(who, LIST, query);
    const { status, reason } = query;
    const isOpen = status === undefined ? undefined : status === 'open';
    const rows = await listReviews(context.db, who, {
      isOpen,
      reason,
      before: page.before,
      limit: page.limit + 1,
    });
    return listReply(who, LIST, page, rows, reviewView);
  },
};

export const readReview: Route = {
  method: 'get',
  path: '/reviews/:id',
  summary: 'Read a review',
  may: 'read',
  answers: { 200: review },
  async handle({ context, caller, params }) {
    return {
      status: 200,
      body: reviewView(await findReview(context.db, await caller(), reviewId(params))),
    };
  },
};

/** The id in the path. Throws `not_found` when it cannot be one. */
export function reviewId({ id = '' }: Record<string, string>): string {
  if (!isId('rev', id)) throw noSuchReview();
  return id;
}
