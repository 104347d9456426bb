import Type from 'typebox';
import { accounts, postingTypes } from '../../domain/journal/entities/posting.ts';
import { openAccounts } from '../../domain/settlements/statement/read-lines.ts';
import * as s from '../http/schema.ts';

export const statementQuery = s.query({
  provider: Type.Optional(s.provider('Only what moved at this provider.')),
});

const account = (description: string) =>
  s.choice('Account', accounts, { description, examples: ['at_provider'] });

const balances = s.object('StatementAccount', 'An account. In balances debits are positive.', {
  account: account('Where money is, or what it came or went for.'),
  opening_kobo: s.signedKobo('Its balance when the month began, in kobo.', 0),
  debited_kobo: s.kobo('The movements that debit it, in kobo.', 500_000),
  credited_kobo: s.kobo('The movements that credit it, in kobo.', 7_500),
  closing_kobo: s.signedKobo(
    'Its balance at the end, in kobo: `opening_kobo + debited_kobo − credited_kobo`.',
    492_500,
  ),
});

const movementFields = {
  type: s.choice('PostingType', postingTypes, {
    description: 'What moved the money.',
    examples: ['capture'],
  }),
  debit: account('The account that it went to.'),
  credit: account('The account that it came from.'),
  count: s.count('How many postings.', 1),
  amount_kobo: s.kobo('What they add up to, in kobo.', 500_000),
};

const movement = s.object(
  'StatementMovement',
  'The postings of one type between two accounts.',
  movementFields,
);

const lateMovement = s.object(
  'StatementLateMovement',
  'Postings of a day before the month, which became known in the month.',
  {
    ...movementFields,
    day: s.day('The day they belong to; of what is older than a year, that year’s first day.'),
  },
);

const payout = s.object('StatementPayout', 'What a settlement moved in the month.', {
  settlement_id: s.id('stl'),
  provider: s.provider(),
  day: s.day('The day on which it reached the bank.', '2026-11-12'),
  landed_kobo: s.signedKobo('What reached the bank, in kobo.', 487_500),
  other_business_kobo: s.signedKobo('What of it is other business of the merchant, in kobo.', 0),
  difference_kobo: s.signedKobo('What was missing, in kobo; negative: what was too much.', 5_000),
});

const openLine = s.object('StatementOpenLine', 'What is still open of one payment or payout.', {
  source: s.string('The payment (`cap_`), dispute (`dsp_`) or settlement (`stl_`).', {
    examples: ['dsp_01k2v8n0d4e7g9h3j5m6p8q1rs'],
  }),
  provider: s.provider(),
  reference: s.nullable(s.reference('Service reference of the charge; null for a settlement.')),
  day: s.day('The day on which it began.', '2026-11-12'),
  amount_kobo: s.signedKobo('What of it is in the account, in kobo.', 500_000),
});

const open = s.object(
  'StatementOpenAccount',
  'What is still in an account that is empty once all is done: what is held by disputes, what is ' +
    'owed to payers (negative), and differences without a reason.',
  {
    account: s.choice('OpenAccount', openAccounts, {
      description: 'The account.',
      examples: ['held_by_dispute'],
    }),
    count: s.count('How many lines there are in all.', 1),
    amount_kobo: s.signedKobo('What all of them add up to, in kobo.', 500_000),
    lines: Type.Array(openLine, { description: 'The 200 largest at most.' }),
  },
);

const off = (description: string) => s.kobo(`${description}, in kobo; 0 where it is right.`, 0);

const check = s.object('StatementCheck', 'By how much the lines do not add up.', {
  balanced: Type.Boolean({ description: 'True where all of it adds up.' }),
  movements_kobo: off('Opening balances with the movements, less closing balances'),
  accounts_kobo: off('The sum of all closing balances'),
  payouts_kobo: off('What payouts moved to the bank, less what is listed'),
  open_kobo: off('Closing balances of accounts with something open, less what is listed'),
});

export const statement = s.object(
  'Statement',
  'A month as the journal of all movements of money had it at its end. Once it is closed it never ' +
    'changes: what becomes known later is in the month in which it became known.',
  {
    object: s.kind('statement'),
    month: s.string('The month.', { examples: ['2026-11'] }),
    provider: s.nullable(s.provider(), {
      description: 'Only what moved at this provider; null: at all of them.',
    }),
    currency: s.currency(),
    time_zone: s.string('The time zone of the business at the end of the month.', {
      examples: ['Africa/Lagos'],
    }),
    from: s.time('When the month began.'),
    to: s.time('When it ends: the first moment after it.'),
    closed: Type.Boolean({ description: 'It is over, and nothing can be added to it any more.' }),
    counted_until: s.time('Up to when it counts: `to` once the month is over, now until then.'),
    accounts: Type.Array(balances, { description: 'All accounts.' }),
    movements: Type.Array(movement, { description: 'What belongs to the month.' }),
    late_movements: Type.Array(lateMovement, { description: 'What belongs to days before it.' }),
    payouts: s.object('StatementPayouts', 'What providers paid out.', {
      count: s.count('How many lines there are in all.', 1),
      landed_kobo: s.signedKobo('What reached the bank by all of them, in kobo.', 487_500),
      lines: Type.Array(payout, { description: 'The first 200 at most, by their days.' }),
    }),
    open: Type.Array(open, { description: 'What is still open at the end.' }),
    check,
    sha256: Type.String({
      description:
        'SHA-256 of its lines, in hexadecimal: what `sha256sum` says of its CSV file, which the ' +
        'dashboard gives.',
      pattern: '^[0-9a-f]{64}$',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
    mode: s.mode('`live` or `test`: the mode of the money.'),
    tenant_id: s.tenantId(),
  },
);
