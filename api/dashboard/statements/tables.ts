import { DateTime } from 'luxon';
import type { Statement } from '../../../domain/settlements/statement/statement.ts';
import { formatNaira as naira } from '../../../domain/shared/money.ts';
import { accountNames } from '../../statements/account-names.ts';
import { wordsOf } from '../balances/words.ts';
import { formatsFor } from '../format.ts';

/** For a page, a file, or a terminal. */
export interface Table {
  title: string;
  /** Shown where there are no rows. */
  empty: string;
  columns: readonly Column[];
  rows: readonly Row[];
}

interface Column {
  title: string;
  isNumber: boolean;
}

/** A total has two cells: a text that takes up all columns but the last, and a number. */
export interface Row {
  cells: readonly Cell[];
  isTotal?: boolean;
}

export interface Cell {
  text: string;
  /** Below `/dashboard`: where it comes from. */
  path?: string;
}

type ProviderName = (slot: string) => string;

const text = (value: string | number): Cell => ({ text: String(value) });
const columns = (titles: readonly string[], numbers: number): Column[] =>
  titles.map((title, at) => ({ title, isNumber: at >= titles.length - numbers }));
const { day } = formatsFor('UTC');

/** Everything that a statement says, in words. */
export function tablesOf(statement: Statement, providerName: ProviderName): Table[] {
  return [
    balancesTable(statement),
    movementsTable(statement),
    payoutsTable(statement, providerName),
    openTable(statement, providerName),
  ];
}

/** `2026-11` as `November 2026`. */
export const titleOfMonth = (month: string, format = 'LLLL yyyy') =>
  DateTime.fromISO(month, { locale: 'en-GB' }).toFormat(format);

export function stateInWords(
  { closed, counted_until: until }: Statement,
  time: (iso: string) => string,
): string {
  return closed
    ? 'Closed: it never changes. What becomes known later is in the month in which it does.'
    : `Not closed: it has what is known up to ${time(until)}, and still changes.`;
}

export function checkInWords({ check }: Statement): string {
  return check.balanced
    ? 'Right: opening balances and movements come to the closing balances, and those to zero.'
    : 'Wrong: balances, movements and lists differ. Tell whoever runs this service.';
}

function balancesTable({ accounts }: Statement): Table {
  const rows = accounts.map(({ account, ...kobo }) => ({
    cells: [
      text(accountNames[account]),
      ...[kobo.opening_kobo, kobo.debited_kobo, kobo.credited_kobo, kobo.closing_kobo].map((one) =>
        text(naira(one)),
      ),
    ],
  }));
  const titles = ['Account', 'Opening', 'Debited', 'Credited', 'Closing'];
  return { title: 'Balances', empty: '', columns: columns(titles, 4), rows };
}

function movementsTable({ movements, late_movements: late }: Statement): Table {
  const rowOf = (one: (typeof movements)[number], belongsTo: string): Row => ({
    cells: [
      ...[wordsOf(one), accountNames[one.debit], accountNames[one.credit], belongsTo].map(text),
      ...[one.count, naira(one.amount_kobo)].map(text),
    ],
  });
  return {
    title: 'Movements',
    empty: 'No money moved.',
    columns: columns(['What', 'Debit', 'Credit', 'Belongs to', 'Count', 'Amount'], 2),
    rows: [
      ...movements.map((one) => rowOf(one, 'This month')),
      ...late.map((one) => rowOf(one, day(one.day))),
    ],
  };
}

function payoutsTable({ payouts }: Statement, providerName: ProviderName): Table {
  const rows: Row[] = payouts.lines.map((one) => ({
    cells: [
      { text: day(one.day), path: `/settlements/${one.settlement_id}` },
      text(providerName(one.provider)),
      text(one.difference_kobo === 0 ? '–' : naira(one.difference_kobo)),
      text(naira(one.landed_kobo)),
    ],
  }));
  const total = { cells: [text(allOf(payouts)), text(naira(payouts.landed_kobo))], isTotal: true };
  return {
    title: 'Payouts',
    empty: 'Nothing was paid out.',
    columns: columns(['In the bank', 'Provider', 'Missing', 'Amount'], 2),
    rows: rows.length === 0 ? [] : [...rows, total],
  };
}

function openTable({ open }: Statement, providerName: ProviderName): Table {
  const rows = open.flatMap(({ account, lines, ...sums }): Row[] => {
    if (sums.count === 0) return [];
    const name = accountNames[account];
    const listed = lines.map((one) => ({
      cells: [
        text(name),
        one.reference === null
          ? { text: 'Payout', path: `/settlements/${one.source}` }
          : { text: one.reference, path: `/transactions/${one.reference}` },
        ...[providerName(one.provider), day(one.day), naira(one.amount_kobo)].map(text),
      ],
    }));
    const total = [text(`${name}: ${allOf({ ...sums, lines }).toLowerCase()}`)];
    return [...listed, { cells: [...total, text(naira(sums.amount_kobo))], isTotal: true }];
  });
  return {
    title: 'Still open',
    empty: 'Nothing is in dispute, owed to payers, or missing without a reason.',
    columns: columns(['Account', 'About', 'Provider', 'Since', 'Amount'], 1),
    rows,
  };
}

function allOf({ count, lines }: { count: number; lines: readonly unknown[] }): string {
  return count === lines.length
    ? `All ${count}`
    : `All ${count}, of which ${lines.length} are shown`;
}
