import type { RowOf } from '../../shared/columns.ts';
import { isId } from '../../shared/ids.ts';
import { formatNaira } from '../../shared/money.ts';
import type { Discrepancy } from '../entities/discrepancy.ts';
import type { DiscrepancyKind } from './transitions.ts';

export interface Difference
  extends Pick<
    RowOf<typeof Discrepancy>,
    | 'kind'
    | 'subject'
    | 'settlement_id'
    | 'line_id'
    | 'charge_id'
    | 'reference'
    | 'amount_kobo'
    | 'difference_kobo'
    | 'day'
  > {
  ours_kobo: number | null;
  theirs_kobo: number | null;
  /**
   * `amount_mismatch`: the settlement before. `never_notified`: its charge. `unreadable`: why.
   * `books`: JSON of the accounts that differ.
   */
  other: string | null;
}

export function detailOf(difference: Difference): string {
  return sentences[difference.kind](difference, formatNaira(difference.amount_kobo));
}

type Sentence = (difference: Difference, amount: string) => string;

const sentences: Record<DiscrepancyKind, Sentence> = {
  amount_mismatch: (difference, amount) =>
    difference.other !== null
      ? `The line pays ${amount} out again: settlement ${difference.other} holds this ` +
        'payment. Ask the provider which one stands.'
      : `The line says ${bothSides(difference)} was paid. Ask the provider for the difference.`,
  fee_mismatch: (difference) =>
    `The line takes a fee of ${bothSides(difference)} was stated when it was paid. Compare ` +
    'it with your agreed fees.',
  deduction_mismatch: (difference) =>
    `The payout took ${bothSides(difference)} of refunds and chargebacks is known. The ` +
    'rest may be of your other business, or was begun at the provider.',
  missing: (_, amount) =>
    `${amount} should have been paid out by now, and no settlement holds it. Ask the ` +
    'provider for this payment.',
  short: (_, amount) =>
    `${amount} less reached the bank than this settlement adds up to. Compare the bank ` +
    'statement, then ask the provider.',
  surplus: (_, amount) =>
    `${amount} more reached the bank than this settlement adds up to. It may make up for ` +
    'one that fell short.',
  unreadable: ({ other }) =>
    `This payout cannot be read (${other}), so it is not compared. It is read again until it ` +
    'can be; ask the provider to correct it.',
  never_notified: ({ other }, amount) =>
    other === null
      ? `${amount} was paid under a reference in our form that is not on record here. Look ` +
        'whose it is.'
      : `${amount} was paid and no notification of it arrived. The provider is being asked ` +
        'about it.',
  unknown_at_provider: (_, amount) =>
    `${amount} is on record as paid, and the provider does not know this payment any more. ` +
    'Ask the provider about it.',
  books: ({ subject, other }) => {
    const [what, records] = isId('btx', subject)
      ? [`A snapshot of the journal, before ${subject}, is wrong`, 'postings']
      : [`The journal does not agree with ${subject}`, 'records'];
    const accounts = (JSON.parse(other!) as Balance[]).map(
      ({ account, journal, records: said }) =>
        `${account} is ${formatNaira(journal)} where the ${records} say ${formatNaira(said)}`,
    );
    return `${what}: ${accounts.join(', ')}. This is a fault of this service, whose operators are told.`;
  },
};

/** What both sides say of an account, in kobo. */
type Balance = Record<'journal' | 'records', number> & { account: string };

function bothSides({ ours_kobo: oursKobo, theirs_kobo: theirsKobo }: Difference): string {
  return `${formatNaira(theirsKobo ?? 0)} where ${formatNaira(oursKobo ?? 0)}`;
}
