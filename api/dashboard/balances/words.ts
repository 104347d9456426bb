import type { Account } from '../../../domain/journal/moved.ts';
import { accountNames } from '../../statements/account-names.ts';

const sentences: Partial<Record<`${Account} ← ${Account}`, string>> = {
  'at_provider ← collected': 'Paid by the customer',
  'at_provider ← payers': 'Paid by the customer, and owed back',
  'payers ← collected': 'Accepted, though more or less was asked for',
  'fees ← at_provider': 'Fee of the provider',
  'at_provider ← fees': 'Fee given back by the provider',
  'refunds ← at_provider': 'Refunded to the customer',
  'at_provider ← refunds': 'Refund that came back',
  'payers ← at_provider': 'Sent back to the payer',
  'payers ← bank': 'Sent back to the payer from your bank account',
  'held_by_dispute ← at_provider': 'Withheld: a dispute is open',
  'at_provider ← held_by_dispute': 'Given back: the dispute is won',
  'disputes_lost ← held_by_dispute': 'Lost: the customer’s bank keeps it',
  'payers ← held_by_dispute': 'Owed back, and taken back by the customer’s bank',
  'bank ← at_provider': 'Landed at your bank',
  'at_provider ← bank': 'Gone from your bank again',
  'at_provider ← other_business': 'Your other business, paid out with it',
  'differences ← at_provider': 'Missing, under investigation',
  'at_provider ← differences': 'Arrived after all, or more than expected',
  'written_off ← differences': 'Given a reason by a person',
  'written_off ← at_provider': 'Given a reason by a person',
};

/** What a posting says, in plain words. */
export function wordsOf({ debit, credit }: { debit: Account; credit: Account }): string {
  const sentence = sentences[`${debit} ← ${credit}`];
  return sentence ?? `Moved from “${accountNames[credit]}” to “${accountNames[debit]}”`;
}
