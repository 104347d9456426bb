import { actorNames } from '../../../domain/accounts/actor-names.ts';
import { acceptReview } from '../../reviews/accept-review.ts';
import { listReviews } from '../../reviews/list-reviews.ts';
import { returnReview } from '../../reviews/return-review.ts';
import { needsCode } from '../confirm.ts';
import { calling, filled } from '../forms.ts';
import { csvHref, listed } from '../lists.ts';
import { type FormValues, view } from '../request.ts';

const note = (values: FormValues) => filled(values, 'note');

export const reviewsView = view('reviews', {
  async load(request) {
    const { context, session, now } = request;
    const { rows, ...list } = await listed(request, listReviews, {
      filters: ['status'],
      defaults: { status: 'open' },
    });
    const deciders = rows.flatMap((review: { decided_by: string | null }) =>
      review.decided_by ? [review.decided_by] : [],
    );
    return {
      reviews: rows,
      ...list,
      csvHref: csvHref(request, list.filter),
      nameOf: await actorNames(context.db, session.tenantId, deciders),
      needsCode: needsCode(session, now),
    };
  },
  forms: [
    {
      path: '/reviews/:id/accept',
      permission: 'decide reviews',
      submit: calling(acceptReview, 'review_accepted', note),
    },
    {
      path: '/reviews/:id/return',
      permission: 'decide reviews',
      isConfirmed: true,
      submit: calling(returnReview, 'review_returned', (values) =>
        filled(values, 'note', 'paid_from'),
      ),
    },
  ],
});
