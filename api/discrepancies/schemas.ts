import Type from 'typebox';
import {
  discrepancyKinds,
  discrepancyStatuses,
} from '../../domain/settlements/entities/discrepancy.ts';
import { listQuery } from '../http/cursor.ts';
import * as s from '../http/schema.ts';

const status = (description: string) =>
  s.choice('DiscrepancyStatus', discrepancyStatuses, { description });
const discrepancyKind = (description: string) =>
  s.choice('DiscrepancyKind', discrepancyKinds, { description, examples: ['fee_mismatch'] });

export const discrepanciesQuery = listQuery({
  from: Type.Optional(s.day('First day they belong to.', '2026-01-01')),
  to: Type.Optional(s.day('Last day, inclusive.')),
  status: Type.Optional(status('Only discrepancies in this status.')),
  kind: Type.Optional(discrepancyKind('Only discrepancies of this kind.')),
  settlement: Type.Optional(s.id('stl', 'Only those about this settlement.')),
  provider: Type.Optional(s.provider('Only those of this provider.')),
});

export const closeDiscrepancyBody = s.body('CloseDiscrepancyBody', {
  reason: s.text(500, {
    description: 'Why it is accepted as it is.',
    examples: ['The provider paid the difference by bank transfer'],
  }),
});

const line = s.object('SettlementLine', 'A line of a payout, as the provider states it.', {
  provider_reference: s.string('The provider’s own id of the payment.', {
    examples: ['4099260516'],
  }),
  reference: s.string('The reference of the payment at the provider.', {
    examples: ['SV-100001-4f7k2m9p'],
  }),
  amount_kobo: s.signedKobo('The amount it states, in kobo.', 250_000),
  fee_kobo: s.nullable(
    s.signedKobo('The fee it states, in kobo; null where it states none.', 6_250),
  ),
});

export const discrepancy = s.resource(
  { title: 'Discrepancy', object: 'discrepancy', prefix: 'dsc' },
  'A difference between our records and a payout, a provider’s list of payments, or our journal.',
  {
    kind: discrepancyKind(
      'What differs. `amount_mismatch`: a line states another amount than was paid, or pays out ' +
        'what was paid out before. `fee_mismatch`: its fee is not the one stated before. ' +
        '`deduction_mismatch`: more was deducted than the refunds and chargebacks on record. ' +
        '`missing`: a payment is in no payout, long after it was due. `short`, `surplus`: less, or ' +
        'more, reached the bank than the payout adds up to. `unreadable`: a payout, or a line of it ' +
        'that pays one of your charges, cannot be read, as in another currency. ' +
        '`never_notified`: a payment for which no notification arrived. `unknown_at_provider`: a payment on record that its provider ' +
        'does not know any more. `books`: our journal says of a payment, refund, dispute or payout ' +
        'something else than our record of it; the service’s operators see to it.',
    ),
    provider: s.provider(),
    status: status(
      'Current status. `open`; `resolved` when it does not differ any more; ' +
        '`closed` by a person who accepts it.',
    ),
    settlement_id: s.nullable(
      s.id('stl', 'The settlement it is about; null where it is about none.'),
    ),
    transaction_id: s.nullable(
      s.id('txn', 'The transaction it is about; null where none is known.'),
    ),
    reference: s.nullable(
      s.string('What the provider calls the payment; null where a whole payout differs.', {
        examples: ['SV-100001-4f7k2m9p'],
      }),
    ),
    amount_kobo: s.kobo('How much it is about, in kobo.', 2_500),
    difference_kobo: s.signedKobo(
      'Its part of what was expected and did not land, in kobo; negative where more came.',
      2_500,
    ),
    detail: s.string('What differs and what to do about it, for people.', {
      examples: [
        'The line takes a fee of ₦62.50 where ₦37.50 was stated when it was paid. ' +
          'Compare it with your agreed fees.',
      ],
    }),
    line: s.nullable(line, {
      description: 'The line of the payout that shows it; null: none does.',
    }),
    date: s.day('The day it belongs to, in Lagos: of its payout, or of its payment.', '2026-02-02'),
    closed_by: s.nullInExample(
      s.string(
        'The member who closed it, or `operator`, with a name `operator:ada`; null where nobody did.',
      ),
    ),
    close_reason: s.nullInExample(
      s.string('Why it was accepted as it was; null where nobody did.'),
    ),
    opened_at: s.time('When it was found.'),
    ended_at: s.nullInExample(s.time('When it was resolved or closed; null while it is open.')),
  },
);

export const discrepancies = s.listOf('DiscrepancyList', discrepancy, 'A page of discrepancies.');
