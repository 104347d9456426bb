import type { Account } from '../../domain/journal/moved.ts';

/** What people call the accounts. */
export const accountNames: Record<Account, string> = {
  at_provider: 'On the way to the bank',
  bank: 'Landed at your bank',
  held_by_dispute: 'In dispute',
  collected: 'Collected',
  fees: 'Fees',
  refunds: 'Refunded',
  disputes_lost: 'Lost in disputes',
  payers: 'Owed to payers',
  other_business: 'Your other business',
  differences: 'Differences',
  written_off: 'Differences with a reason',
};
