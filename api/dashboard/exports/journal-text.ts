import { DateTime } from 'luxon';
import type { Account } from '../../../domain/journal/moved.ts';
import { CURRENCY } from '../../../domain/shared/money.ts';
import { sentence } from '../format.ts';
import type { Journal } from './open-journal.ts';

/** The five kinds that beancount knows. */
const kinds: Record<Account, 'Assets' | 'Liabilities' | 'Income' | 'Expenses'> = {
  ...{ at_provider: 'Assets', bank: 'Assets', held_by_dispute: 'Assets', differences: 'Assets' },
  ...{ payers: 'Liabilities', other_business: 'Liabilities' },
  ...{ collected: 'Income', refunds: 'Income' },
  ...{ fees: 'Expenses', disputes_lost: 'Expenses', written_off: 'Expenses' },
};

interface Entry {
  connectionId: string;
  account: Account;
  /** Debits are positive. */
  kobo: number;
}

/**
 * What hledger and beancount both read. Comments mean nothing to beancount, and hledger takes its
 * tags from them. A line that opens an account for beancount is to hledger a transaction that moves
 * nothing.
 */
export async function* textOf({ from, opening, lines, names, codeOf }: Journal) {
  const opened = new Set<string>();
  const nameOf = ({ account, connectionId }: Entry) => {
    const words = account.split('_').map(sentence).join('-');
    return `${kinds[account]}:${words}:${names.get(connectionId)!.name}`;
  };
  const transaction = (day: string, title: string, entries: readonly Entry[]): string => {
    const named = entries.map((entry) => ({ ...entry, name: nameOf(entry) }));
    const unopened = named.filter(({ name }) => !opened.has(name));
    for (const { name } of unopened) opened.add(name);
    return [
      ...unopened.map(({ name }) => `${day} open ${name} ${CURRENCY}\n`),
      `${day} * ${title}\n`,
      ...named.map(({ name, account, kobo }) => {
        const amount = `${(kobo / 100).toFixed(2)} ${CURRENCY}`;
        return `  ${name}  ${amount} ; account_code:${codeOf(account)}\n`;
      }),
      '\n',
    ].join('');
  };
  yield '; For hledger and for beancount.\n\n';
  const before = balancesOf(opening);
  if (before.length > 0) yield transaction(dayBefore(from!), '"Opening balances"', before);
  for await (const line of lines) {
    const { debit, credit, amount_kobo: kobo, connection_id: connectionId } = line;
    const tags = `id:${line.id}, source:${line.source}, occurred:${line.occurred_at.toISOString()}`;
    yield transaction(line.day, `"${sentence(line.type)} ${line.reference}" ; ${tags}`, [
      { connectionId, account: debit, kobo },
      { connectionId, account: credit, kobo: -kobo },
    ]);
  }
}

function balancesOf(totals: Journal['opening']): Entry[] {
  const balances = new Map<string, Entry>();
  const add = (connectionId: string, account: Account, kobo: number) => {
    const key = `${connectionId} ${account}`;
    balances.set(key, { connectionId, account, kobo: (balances.get(key)?.kobo ?? 0) + kobo });
  };
  for (const { connection_id: id, debit, credit, amount_kobo: kobo } of totals) {
    add(id, debit, kobo);
    add(id, credit, -kobo);
  }
  return [...balances.values()].filter(({ kobo }) => kobo !== 0);
}

function dayBefore(day: string): string {
  return DateTime.fromISO(day, { zone: 'utc' }).minus({ days: 1 }).toISODate()!;
}
