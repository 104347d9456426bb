import Type from 'typebox';
import { shownRefundStatuses } from '../../domain/payments/refund/row.ts';
import { MAX_AMOUNT_KOBO } from '../../domain/shared/money.ts';
import { listQuery } from '../http/cursor.ts';
import * as s from '../http/schema.ts';

export const requestRefundBody = s.body('RequestRefundBody', {
  reference: s.text(100, {
    format: 'service-reference',
    description: 'The charge’s service reference.',
    examples: ['SV-100001'],
  }),
  amount_kobo: Type.Optional(
    s.kobo(
      'How much, in kobo; by default all that can still be refunded. ' +
        'More than that is refused with 422, which names this field.',
      100_000,
      { minimum: 1, maximum: MAX_AMOUNT_KOBO },
    ),
  ),
  reason: s.text(500, {
    description: 'Why, in your words.',
    examples: ['The customer returned the goods'],
  }),
});

export const rejectRefundBody = s.body('RejectRefundBody', {
  reason: s.text(500, {
    description: 'Why the refund is rejected.',
    examples: ['The goods were delivered'],
  }),
});

const status = (description: string) =>
  s.choice('RefundStatus', shownRefundStatuses, { description });

export const refundsQuery = listQuery({
  status: Type.Optional(status('Only refunds in this status.')),
  reference: s.ofCharge('Only refunds of the charge with this service reference.'),
});

const attention = s.object('RefundAttention', 'What a person has to do before it can go on.', {
  reason: s.string('What is needed, as a sentence from the provider or from this service.', {
    examples: ['The provider asks for the account to pay the refund to.'],
  }),
});

export const refund = s.resource(
  { title: 'Refund', object: 'refund', prefix: 'ref' },
  'Money that goes back to the payer.',
  {
    reference: s.reference('Service reference of the charge, `SV-<number>`.'),
    transaction_id: s.id('txn', 'The transaction it refunds.'),
    amount_kobo: s.kobo('How much, in kobo.', 100_000),
    currency: s.currency(),
    reason: s.string('Why, in the words of whoever asked for it.', {
      examples: ['The customer returned the goods'],
    }),
    status: status(
      'Current status. `requested` until an Owner decides; then `approved → processing → completed` ' +
        'or `failed`, or `rejected`. `cancelled` where the money went back another way before.',
    ),
    origin: s.choice('RefundOrigin', ['merchant', 'provider', 'system'], {
      description:
        'Who asked for it: the merchant, somebody at the provider, or the service, which returns ' +
        'payments made twice.',
    }),
    rejection_reason: s.nullInExample(
      s.string('Why the Owner rejected it; null where nobody did.'),
    ),
    failure_message: s.nullInExample(
      s.string('Why it failed, as a sentence for people; null where it did not fail.'),
    ),
    attention: s.nullable(attention, { description: 'What a person has to do; null: nothing.' }),
    created_at: s.time('When it was requested.'),
    first_approved_at: s.nullInExample(
      s.time('When an Owner approved it, where two have to; null where none did.'),
    ),
    decided_at: s.nullInExample(s.time('When an Owner decided; null until then.')),
    completed_at: s.nullInExample(s.time('When the provider completed it; null until then.')),
  },
);

export const refunds = s.listOf('RefundList', refund, 'A page of refunds.');
