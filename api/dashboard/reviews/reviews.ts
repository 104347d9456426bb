import { actorNames } from '../../../domain/accounts/actor-names.ts';
import { prognosesOf } from '../../../domain/payments/commands/review-prognoses.ts';
import type { ReviewReason } from '../../../domain/payments/entities/review-reasons.ts';
import { decidedBefore } from '../../../domain/payments/review/decide.ts';
import type { ReviewDecision } from '../../../domain/payments/review/transitions.ts';
import { formatNaira } from '../../../domain/shared/money.ts';
import { Problem } from '../../../domain/shared/problems.ts';
import { acceptReview } from '../../reviews/accept-review.ts';
import { getReview } from '../../reviews/get-review.ts';
import { listReviews } from '../../reviews/list-reviews.ts';
import { returnReview } from '../../reviews/return-review.ts';
import { getTransaction } from '../../transactions/get-transaction.ts';
import { calling, filled } from '../forms.ts';
import { csvHref, listed } from '../lists.ts';
import { type DashboardRequest, type FormValues, type QuestionField, view } from '../request.ts';

const note = (values: FormValues) => filled(values, 'note');

/** Money that moves by a person's word moves with a reason. */
const noteField = (isRequired: boolean): QuestionField => ({
  name: 'note',
  label: 'Note for the timeline',
  hint: isRequired ? 'Why, for those who ask later.' : 'Why, for those who ask later. Empty: none.',
  required: isRequired,
  maxlength: 500,
});

const accepting: Record<ReviewReason, string> = {
  underpaid: 'The charge counts as paid, with less than was asked.',
  overpaid: 'You keep what was paid too much.',
  extra_capture: 'You keep the second payment beside the first.',
  capture_mismatch: 'The charge counts as paid by this payment.',
  unknown_status: 'The provider is asked again about the payment.',
  link_paid_before: 'You keep the payment: the link was paid before.',
  dispute: 'No money moves: the payer’s bank decides.',
  refund_reversed: 'No money moves: the money that came back stays with you.',
};

export const reviewsView = view('reviews', {
  async load(request) {
    const { context, session } = request;
    const { rows, ...list } = await listed(request, listReviews, {
      filters: ['status'],
      defaults: { status: 'open' },
    });
    const deciders = rows.flatMap((review: { decided_by: string | null }) =>
      review.decided_by ? [review.decided_by] : [],
    );
    const open = rows.flatMap(({ id, status }: { id: string; status: string }) =>
      status === 'open' ? [id] : [],
    );
    const prognoses = await context.read((db) => prognosesOf(db, session, open));
    const firsts = [...prognoses.values()].map(({ approval }) => approval?.first ?? null);
    return {
      reviews: rows,
      ...list,
      csvHref: csvHref(request, list.filter),
      nameOf: await actorNames(context.db, session.tenantId, [...deciders, ...firsts]),
      prognoses,
    };
  },
  forms: [
    {
      path: '/reviews/:id/accept',
      permission: 'decide reviews',
      async ask(request) {
        const { review, facts } = await askedAbout(request, 'accepted');
        return {
          title: 'Accept this?',
          facts,
          consequence: `${accepting[review.reason as ReviewReason]} This cannot be taken back.`,
          fields: [noteField(review.payment !== null)],
        };
      },
      submit: calling(acceptReview, 'review_accepted', note),
    },
    {
      path: '/reviews/:id/return',
      permission: 'decide reviews',
      asksForCode: true,
      async ask(request) {
        const { facts, approval } = await askedAbout(request, 'returned');
        const isRefused = approval?.refusal !== undefined;
        return {
          title: isRefused ? 'Did the money go back already?' : 'Send the money back?',
          facts,
          consequence: isRefused
            ? 'Nothing is sent. This cannot be taken back.'
            : approval?.approval === 'first of two'
              ? 'Nothing is sent before a second Owner approves it, too.'
              : 'What of it did not go back yet goes to the payer. It cannot be called back.',
          fields: [
            {
              name: 'paid_from',
              label: 'How it goes back',
              options: {
                ...(isRefused ? {} : { '': 'Through the provider, now' }),
                bank: 'It did, from our bank account',
                provider: 'It did, from our account at the provider',
              },
            },
            noteField(true),
          ],
        };
      },
      async submit({ call, params, values }) {
        const body = filled(values, 'note', 'paid_from');
        const { status } = await call(returnReview, { params, body });
        return { notice: status === 'open' ? 'review_first_approved' : 'review_returned' };
      },
    },
  ],
});

/** What a decision is about. Throws where it was made, or can only be refused. */
async function askedAbout(
  { call, context, params, session }: DashboardRequest,
  decision: ReviewDecision,
) {
  const review = await call(getReview, { params });
  if (review.status !== 'open') throw new Problem('invalid_state', decidedBefore(review.status));
  const { refusals, approval } = (await prognosesOf(context.db, session, [review.id])).get(
    review.id,
  )!;
  const refusal = refusals[decision];
  if (refusal) throw new Problem('invalid_state', refusal);
  const { customer } = await call(getTransaction, { params: { id: review.reference } });
  const { payment, amount_kobo: amountKobo } = review;
  const facts = {
    ...(amountKobo === null ? {} : { Amount: formatNaira(amountKobo) }),
    Payer: customer.email,
    'For the payment': review.reference,
    ...(payment && {
      'Came in': `${formatNaira(payment.amount_kobo)}, ${payment.provider_reference}`,
    }),
    Why: review.detail,
  };
  return { review, facts, approval };
}
