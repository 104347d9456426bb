import { actorNames } from '../../../domain/accounts/actor-names.ts';
import { acceptReview } from '../../reviews/accept-review.ts';
import { listReviews } from '../../reviews/list-reviews.ts';
import { returnReview } from '../../reviews/return-review.ts';
import { needsCode } from '../confirm.ts';
import { filledFields, nextPage } from '../filters.ts';
import type { Form, View } from '../request.ts';

/** Money and messages that a person has to decide about. */
export const reviewsView: View = {
  path: '/reviews',
  title: 'Reviews',
  template: 'reviews/reviews',
  section: 'reviews',
  permission: 'read',
  async load({ call, context, session, query, now }) {
    const filter = { status: 'open', ...filledFields(query, ['status']) };
    const page = await call(listReviews, {
      query: { ...filter, ...filledFields(query, ['cursor']) },
    });
    const deciders = page.data.flatMap((review: { decided_by: string | null }) =>
      review.decided_by ? [review.decided_by] : [],
    );
    return {
      reviews: page.data,
      filter,
      nameOf: await actorNames(context.db, session.tenantId, deciders),
      needsCode: needsCode(session, now),
      nextHref: nextPage('/reviews', filter, page.next_cursor),
    };
  },
};

/** Takes the money, or the message, as it is. */
export const acceptReviewForm: Form = {
  path: '/reviews/:id/accept',
  view: reviewsView,
  permission: 'decide refunds',
  async submit({ call, params: { id = '' }, values: { note } }) {
    await call(acceptReview, { params: { id }, body: note ? { note } : {} });
    return { to: '/reviews', notice: 'review_accepted' };
  },
};

/** Sends the money back. */
export const returnReviewForm: Form = {
  path: '/reviews/:id/return',
  view: reviewsView,
  permission: 'decide refunds',
  isConfirmed: true,
  async submit({ call, params: { id = '' }, values: { note } }) {
    await call(returnReview, { params: { id }, body: note ? { note } : {} });
    return { to: '/reviews', notice: 'review_returned' };
  },
};
