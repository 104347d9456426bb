import Type from 'typebox';
import { settlementStatuses } from '../../domain/settlements/entities/settlement.ts';
import { listQuery } from '../http/cursor.ts';
import { daysFields } from '../http/days.ts';
import * as s from '../http/schema.ts';

const status = (description: string) =>
  s.choice('SettlementStatus', settlementStatuses, { description, examples: ['landed'] });

export const settlementsQuery = listQuery({
  ...daysFields,
  status: Type.Optional(status('Only settlements in this status.')),
  provider: Type.Optional(s.provider('Only those of this provider.')),
});

const bank = s.object('BankAccount', 'The account it was paid to, as far as the provider says.', {
  name: s.nullable(s.string('Name of the bank.', { examples: ['First Bank'] })),
  account_last4: s.nullable(
    s.string('The last four digits of the account.', { examples: ['6789'] }),
  ),
});

export const settlement = s.resource(
  { title: 'Settlement', object: 'settlement', prefix: 'stl' },
  'A payout of collected money by a provider.',
  {
    provider: s.provider(),
    provider_reference: s.nullable(
      s.string('The provider’s own id of the payout; null until it announced one.', {
        examples: ['3090024'],
      }),
    ),
    status: status(
      'Current status. `expected` until the provider pays; then `landed`, or `short`, or `failed`.',
    ),
    expected_date: s.nullable(s.day('The day it is due.', '2026-02-02')),
    expected_amount_kobo: s.signedKobo(
      'The expected amount, in kobo: `gross_kobo − fee_kobo − refunds_kobo − chargebacks_kobo + ' +
        'foreign_kobo`. A forecast while it is `expected`.',
      246_250,
    ),
    landed_amount_kobo: s.nullable(
      s.signedKobo('What arrived, in kobo; null until then.', 246_250),
    ),
    shortfall_kobo: s.nullable(
      s.kobo(
        'What is missing, in kobo: expected less landed, at least 0; null until it landed.',
        0,
      ),
    ),
    gross_kobo: s.kobo('What payers paid for the transactions in it, in kobo.', 250_000),
    fee_kobo: s.kobo('What the provider kept of that as its fees, in kobo.', 3_750),
    refunds_kobo: s.kobo('Refunds the provider took out of it, in kobo.', 0),
    chargebacks_kobo: s.kobo('Lost disputes the provider took out of it, in kobo.', 0),
    transaction_count: s.count('How many transactions are in it.', 1),
    foreign_kobo: s.signedKobo(
      'Other business of the merchant at the provider that was paid out with it, after fees, in ' +
        'kobo; negative where it cost more than it brought. None of it is among the transactions.',
      0,
    ),
    foreign_count: s.count('How many payments of that other business are in it.'),
    bank: s.nullable(bank, {
      description: 'The account it was paid to; null where the provider does not say.',
    }),
    landed_at: s.nullable(s.time('When it arrived; null until then.')),
    created_at: s.time('When the service first recorded it.'),
  },
);

export const settlements = s.listOf('SettlementList', settlement, 'A page of settlements.');
