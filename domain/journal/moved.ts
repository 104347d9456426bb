import { accounts, type postingTypes } from './entities/posting.ts';

export type Account = (typeof accounts)[number];

export type PostingType = (typeof postingTypes)[number];

/** In kobo by account; debits are positive, and all of it adds up to 0. */
export type Moved = Partial<Record<Account, number>>;

export interface Pair {
  debit: Account;
  credit: Account;
  amount_kobo: number;
}

/** Between which accounts it moved: the fewest pairs, in the order of the accounts. */
export function pairsOf(moved: Moved): Pair[] {
  const open = accounts.map((account) => ({ account, kobo: moved[account] ?? 0 }));
  const sum = open.reduce((total, { kobo }) => total + kobo, 0);
  if (sum !== 0) throw new Error(`What moved does not add up to 0: ${JSON.stringify(moved)}`);
  const credits = open.filter(({ kobo }) => kobo < 0);
  return open
    .filter(({ kobo }) => kobo > 0)
    .flatMap(({ account: debit, kobo }) => {
      const pairs: Pair[] = [];
      for (let left = kobo; left > 0; ) {
        const from = credits[0]!;
        const amount = Math.min(left, -from.kobo);
        pairs.push({ debit, credit: from.account, amount_kobo: amount });
        from.kobo += amount;
        left -= amount;
        if (from.kobo === 0) credits.shift();
      }
      return pairs;
    });
}
