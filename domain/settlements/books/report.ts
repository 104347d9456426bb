import { accounts } from '../../journal/entities/posting.ts';
import type { Account } from '../../journal/moved.ts';
import { countWrongBooks } from '../discrepancy/count-open.ts';
import type { AccountBalance } from './balances.ts';
import { type BooksContext, checkBooks } from './check.ts';

const MOST_COUNTED = 10_000;

export interface BooksReport {
  /** Of each account that either side knows, in the order of the accounts. */
  balances: AccountBalance[];
  /** False: time was over before all were compared. */
  isWhole: boolean;
  /** Open discrepancies of kind `books`, of which there are hardly more than a thousand. */
  wrongCount: number;
}

/** Compares records with the journal while there is time, and adds up both sides. */
export async function reportBooks(context: BooksContext): Promise<BooksReport> {
  const sums = new Map<Account, AccountBalance>();
  const onBalances = (balances: readonly AccountBalance[]) => {
    for (const { account, records, journal } of balances) {
      const sum = sums.get(account) ?? { account, records: 0, journal: 0 };
      sums.set(account, {
        account,
        records: sum.records + records,
        journal: sum.journal + journal,
      });
    }
  };
  const isWhole = (await checkBooks({ ...context, onBalances })) === null;
  const { db, account } = context;
  const known = accounts.flatMap((name) => sums.get(name) ?? []);
  const balances = known.filter(({ records, journal }) => records !== 0 || journal !== 0);
  const wrongCount = await countWrongBooks(db, MOST_COUNTED, account.id);
  return { balances, isWhole, wrongCount };
}
