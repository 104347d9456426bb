import Type from 'typebox';
import { postingTypes } from '../../domain/journal/entities/posting.ts';
import { listQuery } from '../http/cursor.ts';
import { daysFields } from '../http/days.ts';
import * as s from '../http/schema.ts';

const type = (description: string) =>
  s.choice('BalanceTransactionType', postingTypes, { description, examples: ['capture'] });

const source = (description: string) =>
  Type.String({
    description,
    pattern: '^(txn|ref|dsp|stl)_[0-7][0-9a-hjkmnp-tv-z]{25}$',
    examples: ['txn_01k2v8n0d4e7g9h3j5m6p8q1rs'],
  });

export const balanceTransactionsQuery = listQuery({
  ...daysFields,
  type: Type.Optional(type('Only those of this type.')),
  provider: Type.Optional(s.provider('Only those at this provider.')),
  source: Type.Optional(source('Only those of this transaction, refund, dispute or settlement.')),
});

export const balanceTransaction = s.resource(
  { title: 'BalanceTransaction', object: 'balance_transaction', prefix: 'btx' },
  'A change of what a provider still has to pay out. It never changes: a correction is another ' +
    'one. All of a provider add up to the `pending_kobo` of its balance.',
  {
    type: type(
      'What moved. `capture`: a payment came, or a part of it was accepted. `fee`: the provider ' +
        'keeps a fee, or less of it than before. `refund`: money went back, or came back. ' +
        '`dispute`: an amount is withheld, or given back. `payout`: it arrived at your bank, or ' +
        'was sent back. `other_business`: a payout had other business of yours in it. ' +
        '`difference`: something is missing in a payout, or arrived. `write_off`: somebody gave ' +
        'the reason for a difference.',
    ),
    amount_kobo: s.signedKobo('By how much `pending_kobo` changes, in kobo.', 250_000),
    currency: s.currency(),
    provider: s.provider(),
    source: source('The transaction, refund, dispute or settlement that moved it.'),
    occurred_at: s.time('When it happened, as the provider says.'),
    created_at: s.time('When it was recorded: balances from then on have it.'),
  },
);

export const balanceTransactions = s.listOf(
  'BalanceTransactionList',
  balanceTransaction,
  'A page of balance transactions.',
);
