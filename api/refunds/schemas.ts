import Type, { type Static } from 'typebox';
import { shownRefundStatuses } from '../../domain/payments/refund/row.ts';
import { MAX_AMOUNT_KOBO } from '../../domain/shared/money.ts';
import { pageFields } from '../http/cursor.ts';
import {
  body,
  choice,
  id,
  kind,
  kobo,
  listOf,
  mode,
  nullable,
  object,
  query,
  reference,
  string,
  text,
  time,
} from '../http/schema.ts';

export const requestRefundBody = body('RequestRefundBody', {
  reference: text(100, {
    format: 'service-reference',
    description: 'The charge’s service reference.',
    examples: ['SV-100001'],
  }),
  amount_kobo: Type.Optional(
    kobo('How much, in kobo; by default all that can still be refunded.', 100_000, {
      minimum: 1,
      maximum: MAX_AMOUNT_KOBO,
    }),
  ),
  reason: text(500, {
    description: 'Why, in your words.',
    examples: ['The customer returned the goods'],
  }),
});

export type RequestRefundBody = Static<typeof requestRefundBody>;

export const rejectRefundBody = body('RejectRefundBody', {
  reason: text(500, {
    description: 'Why the refund is rejected.',
    examples: ['The goods were delivered'],
  }),
});

const status = (description: string) =>
  choice('RefundStatus', shownRefundStatuses, { description });

export const refundsQuery = query({
  ...pageFields,
  status: Type.Optional(status('Only refunds in this status.')),
  reference: Type.Optional(
    text(100, {
      format: 'service-reference',
      description: 'Only refunds of the charge with this service reference.',
      examples: ['SV-100001'],
    }),
  ),
});

const attention = object('RefundAttention', 'What a person has to do before it can go on.', {
  reason: string('What is needed, as a sentence: of the provider, or of the service.', {
    examples: ['The provider asks for the account to pay the refund to.'],
  }),
});

export const refund = object('Refund', 'Money that goes back to the payer.', {
  object: kind('refund'),
  id: id('ref'),
  reference: reference('Service reference of the charge, `SV-<number>`.'),
  transaction_id: id('txn', 'The transaction it gives back.'),
  amount_kobo: kobo('How much, in kobo.', 100_000),
  currency: string('ISO 4217 code.', { examples: ['NGN'] }),
  reason: string('Why, in the words of whoever asked for it.', {
    examples: ['The customer returned the goods'],
  }),
  status: status(
    'Current status. `requested` until an Owner decides; then `approved → processing → completed` or `failed`, or `rejected`. `cancelled` where the money went back another way before.',
  ),
  origin: choice('RefundOrigin', ['merchant', 'provider', 'system'], {
    description:
      'Who asked for it: the merchant, somebody at the provider, or the service, which returns what was paid twice.',
  }),
  rejection_reason: nullable(string('Why the Owner rejected it; null where nobody did.'), {
    examples: [null],
  }),
  failure_message: nullable(
    string('Why it failed, as a sentence for people; null where it did not fail.'),
    { examples: [null] },
  ),
  attention: nullable(attention, { description: 'What a person has to do; null: nothing.' }),
  created_at: time('When it was requested.'),
  decided_at: nullable(time('When an Owner decided; null until then.'), { examples: [null] }),
  completed_at: nullable(time('When the provider completed it; null until then.'), {
    examples: [null],
  }),
  mode: mode(),
});

export const refunds = listOf('RefundList', refund, 'A page of refunds.');
