import { stringify } from 'csv-stringify/sync';
import type { Account } from '../../domain/journal/moved.ts';
import type { Statement } from '../../domain/settlements/statement/statement.ts';
import { accountNames } from './account-names.ts';

const columns = [
  ...(['line', 'month', 'provider', 'account', 'type', 'debit', 'credit', 'day'] as const),
  ...(['source', 'reference', 'count', 'amount_kobo', 'amount_naira'] as const),
  ...(['difference_kobo', 'difference_naira'] as const),
  ...(['account_name', 'debit_name', 'credit_name'] as const),
];

type Cells = Partial<Record<(typeof columns)[number], string | number | null>> &
  Partial<Record<'account' | 'debit' | 'credit', Account>>;

/**
 * The lines of a statement. A closing balance is the opening one, and the amounts that name the
 * account as `debit`, less those that name it as `credit`.
 */
export function csvOf(statement: Statement): string {
  const { month, provider, accounts, movements, late_movements: late, payouts, open } = statement;
  const lines: Cells[] = [
    ...accounts.map((one) => line('opening', { account: one.account }, one.opening_kobo)),
    ...movements.map((one) => line('movement', one, one.amount_kobo)),
    ...late.map((one) => line('late_movement', one, one.amount_kobo)),
    ...accounts.map((one) => line('closing', { account: one.account }, one.closing_kobo)),
    ...payouts.lines.map(({ settlement_id: source, provider, day, ...kobo }) => ({
      ...line('payout', { source, provider, day }, kobo.landed_kobo),
      difference_kobo: kobo.difference_kobo,
      difference_naira: naira(kobo.difference_kobo),
    })),
    line('all_payouts', { count: payouts.count }, payouts.landed_kobo),
    ...open.flatMap(({ account, count, amount_kobo: kobo, lines }) => [
      ...lines.map((one) => line('open', { account, ...one }, one.amount_kobo)),
      line('all_open', { account, count }, kobo),
    ]),
  ];
  const about = { month, provider: provider ?? 'all' };
  return stringify(
    lines.map((cells) => ({ ...about, ...cells })),
    { header: true, columns: [...columns] },
  );
}

function line(name: string, cells: Cells, kobo: number): Cells {
  const { account, debit, credit } = cells;
  return {
    ...{ ...cells, line: name, amount_kobo: kobo, amount_naira: naira(kobo) },
    ...{ account_name: nameOf(account), debit_name: nameOf(debit), credit_name: nameOf(credit) },
  };
}

const nameOf = (account: Account | undefined) => (account ? accountNames[account] : null);

const naira = (kobo: number) => (kobo / 100).toFixed(2);
