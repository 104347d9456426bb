import Type from 'typebox';
import * as s from '../http/schema.ts';

export const balancesQuery = s.query({
  at: Type.Optional(
    s.text(40, {
      format: 'instant',
      description: 'What was on record before this moment; by default, now.',
      examples: ['2026-02-01T00:00:00+01:00'],
    }),
  ),
});

const balance = s.object(
  'Balance',
  'What became of the money that moved at one provider, from the beginning: `pending_kobo + ' +
    'paid_out_kobo + in_dispute_kobo + fees_kobo + refunded_kobo + disputed_kobo + ' +
    'differences_kobo + written_off_kobo = collected_kobo + owed_to_payers_kobo + ' +
    'other_business_kobo`, always.',
  {
    object: s.kind('balance'),
    provider: s.provider(),
    currency: s.currency(),
    collected_kobo: s.signedKobo(
      'What customers paid for their charges, in kobo: no duplicate and nothing beyond the amount ' +
        'asked for, unless a person accepted it.',
      250_000,
    ),
    fees_kobo: s.signedKobo('What the provider kept as its fees, in kobo.', 3_750),
    refunded_kobo: s.signedKobo('Completed refunds, in kobo.', 0),
    disputed_kobo: s.signedKobo('Lost in disputes, in kobo.', 0),
    paid_out_kobo: s.signedKobo(
      'What arrived at your bank, less what you returned to payers from there, in kobo.',
      200_000,
    ),
    pending_kobo: s.signedKobo(
      'What the provider still has to pay out, in kobo; negative where it took back more than it ' +
        'has, and will take it out of the next payout.',
      46_250,
    ),
    owed_to_payers_kobo: s.signedKobo(
      'Duplicate payments, excess and payments on hold, in kobo, until they are returned or ' +
        'accepted.',
      0,
    ),
    in_dispute_kobo: s.signedKobo('Withheld while disputes are open, in kobo.', 0),
    differences_kobo: s.signedKobo(
      'What is missing in payouts, in kobo, under investigation until it arrives or somebody gives ' +
        'its reason; negative where too much arrived.',
      0,
    ),
    written_off_kobo: s.signedKobo('Differences that somebody gave a reason for, in kobo.', 0),
    other_business_kobo: s.signedKobo(
      'Paid out for other business of yours at the provider, after fees, in kobo.',
      0,
    ),
    mode: s.mode('`live` or `test`: the mode of the credential that asks.'),
  },
);

export const balances = s.listOf(
  'BalanceList',
  balance,
  'The balance at each provider that has moved money.',
);
