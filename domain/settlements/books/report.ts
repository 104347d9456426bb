import { accounts } from '../../journal/entities/posting.ts';
import type { Account } from '../../journal/moved.ts';
import type { AccountBalance } from './balances.ts';
import { type BooksContext, checkBooks } from './check.ts';

export interface BooksReport {
  /** Of each account that either side knows, in the order of the accounts. */
  balances: AccountBalance[];
  /** Open discrepancies of kind `books`. */
  wrongCount: number;
}

/** Compares all records with the journal, as `checkBooks` does, and adds up both sides. */
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
  await checkBooks({ ...context, onBalances });
  const { db, account } = context;
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int from discrepancies
     where connection_id = $1 and kind = 'books' and status = 'open'`,
    [account.id],
  );
  const known = accounts.flatMap((name) => sums.get(name) ?? []);
  const balances = known.filter(({ records, journal }) => records !== 0 || journal !== 0);
  return { balances, wrongCount: row!.count };
}
