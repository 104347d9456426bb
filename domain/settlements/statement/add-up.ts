import { accounts, postingTypes } from '../../journal/entities/posting.ts';
import type { Account } from '../../journal/moved.ts';
import type { Movement } from './read-lines.ts';

/** Kobo. In balances debits are positive. */
export interface AccountLine {
  account: Account;
  opening_kobo: number;
  debited_kobo: number;
  credited_kobo: number;
  closing_kobo: number;
}

/** What running totals grew by, but for what was late, in the order of types and accounts. */
export function movementsBetween(
  opening: readonly Movement[],
  closing: readonly Movement[],
  late: readonly Movement[],
): Movement[] {
  const grown = new Map<string, Movement>();
  const add = (sign: 1 | -1, totals: readonly Movement[]) => {
    for (const { type, debit, credit, count, amount_kobo: kobo } of totals) {
      const key = placeOf({ type, debit, credit });
      const before = grown.get(key) ?? { type, debit, credit, count: 0, amount_kobo: 0 };
      const amount_kobo = before.amount_kobo + sign * kobo;
      grown.set(key, { ...before, count: before.count + sign * count, amount_kobo });
    }
  };
  add(1, closing);
  add(-1, opening);
  add(-1, late);
  return [...grown.keys()]
    .sort()
    .map((key) => grown.get(key)!)
    .filter(({ count, amount_kobo: kobo }) => count !== 0 || kobo !== 0);
}

function placeOf({ type, debit, credit }: Pick<Movement, 'type' | 'debit' | 'credit'>): string {
  const places = [postingTypes.indexOf(type), accounts.indexOf(debit), accounts.indexOf(credit)];
  return places.map((place) => String(place).padStart(2, '0')).join();
}

export function accountLines(
  opening: readonly Movement[],
  movements: readonly Movement[],
  closing: readonly Movement[],
): AccountLine[] {
  return accounts.map((account) => ({
    account,
    opening_kobo: sum(opening, 'debit', account) - sum(opening, 'credit', account),
    debited_kobo: sum(movements, 'debit', account),
    credited_kobo: sum(movements, 'credit', account),
    closing_kobo: sum(closing, 'debit', account) - sum(closing, 'credit', account),
  }));
}

function sum(totals: readonly Movement[], side: 'debit' | 'credit', account: Account): number {
  return totals.reduce(
    (kobo, total) => kobo + (total[side] === account ? total.amount_kobo : 0),
    0,
  );
}

interface Lines {
  accounts: readonly AccountLine[];
  /** All of them. */
  movements: readonly Movement[];
  payouts: { landed_kobo: number };
  open: readonly { account: Account; amount_kobo: number }[];
}

/**
 * Kobo that differ, 0 where all is right. Totals, payouts and what is open are read from the
 * journal in three ways.
 */
export function checkOf({ accounts: lines, movements, payouts, open }: Lines) {
  const off = (kobo: readonly number[]) => kobo.reduce((total, one) => total + Math.abs(one), 0);
  const paidOut = movements.filter(({ type }) => type === 'payout');
  const closings = new Map(lines.map(({ account, closing_kobo: kobo }) => [account, kobo]));
  const check = {
    movements_kobo: off(
      lines.map(
        (line) => line.opening_kobo + line.debited_kobo - line.credited_kobo - line.closing_kobo,
      ),
    ),
    accounts_kobo: off([[...closings.values()].reduce((total, kobo) => total + kobo, 0)]),
    payouts_kobo: off([
      sum(paidOut, 'debit', 'bank') - sum(paidOut, 'credit', 'bank') - payouts.landed_kobo,
    ]),
    open_kobo: off(open.map(({ account, amount_kobo: kobo }) => kobo - closings.get(account)!)),
  };
  return { balanced: off(Object.values(check)) === 0, ...check };
}
