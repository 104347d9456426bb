import Type from 'typebox';
import { refundSources } from '../../domain/payments/entities/refund.ts';
import { reviewStatuses } from '../../domain/payments/entities/review.ts';
import { reviewReasons } from '../../domain/payments/entities/review-reasons.ts';
import { listQuery } from '../http/cursor.ts';
import * as s from '../http/schema.ts';

const reason = (description: string) =>
  s.choice('ReviewReason', reviewReasons, { description, examples: ['underpaid'] });

export const reviewsQuery = listQuery({
  status: Type.Optional(
    s.choice('ReviewFilter', ['open', 'closed'], {
      description: '`open`: waits for a decision. `closed`: was decided or resolved.',
    }),
  ),
  reason: Type.Optional(reason('Only reviews for this reason.')),
});

const note = Type.Optional(
  s.text(500, {
    description: 'Why, for the timeline of the charge.',
    examples: ['Agreed with the customer by telephone'],
  }),
);

export const acceptReviewBody = s.body('AcceptReviewBody', { note });

export const returnReviewBody = s.body('ReturnReviewBody', {
  note,
  paid_from: Type.Optional(
    s.choice('PaidFrom', refundSources, {
      description:
        'Where the money came from that went back already, outside of this service: the account ' +
        'at the `provider`, or the own `bank` account. Nothing is sent then.',
      examples: ['bank'],
    }),
  ),
});

const payment = s.object('ReviewedPayment', 'The payment a review is about.', {
  provider: s.provider('The provider it was paid at, by its slot.'),
  provider_reference: s.string('The provider’s own id of the payment.', {
    examples: ['4099260516'],
  }),
  amount_kobo: s.kobo('What was paid, in kobo.', 150_000),
});

export const review = s.resource(
  { title: 'Review', object: 'review', prefix: 'rev' },
  'A payment, or a report of a provider, that a person has to look at.',
  {
    reference: s.reference('Service reference of the charge, `SV-<number>`.'),
    transaction_id: s.id('txn', 'The transaction it is about.'),
    reason: reason(
      'Why a person should look: `underpaid`, `overpaid`, `extra_capture` (paid again and not sent ' +
        'back), `capture_mismatch` (does not fit the charge), `unknown_status` (the provider sent a ' +
        'status that is not known), `link_paid_before`, `dispute`, `refund_reversed` (a completed ' +
        'refund came back).',
    ),
    detail: s.string('What happened, as a sentence for people.', {
      examples: ['The payer paid less than was asked: ₦1,500.00 of ₦2,500.00.'],
    }),
    amount_kobo: s.nullable(
      s.kobo('The money it is about, in kobo; null where it is about none.', 150_000),
    ),
    payment: s.nullable(payment, {
      description: 'The payment it is about; null where there is none of this charge.',
    }),
    status: s.choice('ReviewStatus', reviewStatuses, {
      description:
        'Current status. `open`; then `accepted` or `returned` by a person, or `resolved` where ' +
        'nothing is left to decide.',
    }),
    first_approved_at: s.nullInExample(
      s.time(
        'When the first of two Owners approved that the money goes back, where the business wants ' +
          'two; null until then.',
      ),
    ),
    decided_by: s.nullInExample(
      s.string(
        'The member who decided, or `operator`, with a name `operator:ada`; null until then.',
      ),
    ),
    decided_at: s.nullInExample(s.time('When it was decided; null until then.')),
    created_at: s.time('When it was opened.'),
  },
);

export const reviews = s.listOf('ReviewList', review, 'A page of reviews.');
