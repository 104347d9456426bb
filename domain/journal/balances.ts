import { CURRENCY } from '../shared/money.ts';
import type { Mode, Reader } from '../shared/reader.ts';
import type { Slot } from '../shared/slot.ts';
import type { Sql } from '../shared/sql.ts';
import { accounts } from './entities/posting.ts';
import type { Account } from './moved.ts';
import { type RunningTotal, runningTotals } from './running-totals.ts';

/** In kobo. Positive as the account's name says: what was collected, and what is owed to payers. */
export type Balance = Record<Account, number>;

/** Accounts that grow with their credits: 1 otherwise. */
export const signOf = (account: Account): 1 | -1 =>
  account === 'collected' || account === 'payers' || account === 'other_business' ? -1 : 1;

/** At each provider that had moved money before `at`; null: by now. */
export async function balancesAt(
  sql: Sql,
  reader: Reader,
  at: Date | null,
): Promise<[Slot, Balance][]> {
  const totals = await runningTotals(sql, reader, at);
  return [...Map.groupBy(totals, ({ slot }) => slot)].map(([slot, own]) => [slot, balanceOf(own)]);
}

export function balanceOf(totals: readonly RunningTotal[]): Balance {
  const balance = Object.fromEntries(accounts.map((account) => [account, 0])) as Balance;
  for (const { debit, credit, amount_kobo: kobo } of totals) {
    balance[debit] += signOf(debit) * kobo;
    balance[credit] -= signOf(credit) * kobo;
  }
  return balance;
}

export function balanceView(slot: Slot, balance: Balance, mode: Mode) {
  return {
    object: 'balance' as const,
    provider: slot,
    currency: CURRENCY,
    collected_kobo: balance.collected,
    fees_kobo: balance.fees,
    refunded_kobo: balance.refunds,
    disputed_kobo: balance.disputes_lost,
    paid_out_kobo: balance.bank,
    pending_kobo: balance.at_provider,
    owed_to_payers_kobo: balance.payers,
    in_dispute_kobo: balance.held_by_dispute,
    differences_kobo: balance.differences,
    written_off_kobo: balance.written_off,
    other_business_kobo: balance.other_business,
    mode,
  };
}
