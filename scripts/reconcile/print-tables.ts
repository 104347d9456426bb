import Table from 'cli-table3';
import type { BooksReport } from '../../domain/settlements/books/report.ts';
import { maxSettlements, type Report } from '../../domain/settlements/settlement/report.ts';
import type { SettlementRow } from '../../domain/settlements/settlement/row.ts';
import { count, naira, nameOf, PAGE_WIDTH } from './print-format.ts';
import type { Reconciled } from './run.ts';

/** The connections beside one another, and what they come to together. */
export function summary(results: readonly Reconciled[]): string {
  const figures = results.map(({ report: { sums } }) => [
    ...[sums.expectedKobo, sums.landedKobo, sums.differenceKobo, sums.unexplainedKobo],
    sums.openCount,
  ]);
  const line = (name: string, [...kobo]: readonly number[]) => {
    const open = String(kobo.pop());
    return [name, ...kobo.map(naira), open];
  };
  const lines = results.map(({ connection }, n) => line(nameOf(connection), figures[n]!));
  return drawTable(
    ['', 'Should have landed', 'Landed', 'Difference', 'In no discrepancy', 'Open discrepancies'],
    [...lines, line('Total', sumColumns(figures))],
    1,
  );
}

/** The columns of a settlement. `Expected` is the sum of those before it. */
const columns: [string, kobo: (row: SettlementRow) => number, isAlwaysShown: boolean][] = [
  ['Gross', ({ gross_kobo: kobo }) => kobo, true],
  ['Fees', ({ fee_kobo: kobo }) => -kobo, true],
  ['Refunds', ({ refunds_kobo: kobo }) => -kobo, false],
  ['Chargebacks', ({ chargebacks_kobo: kobo }) => -kobo, false],
  ['Other', ({ foreign_kobo: kobo }) => kobo, false],
  ['Expected', ({ expected_amount_kobo: kobo }) => kobo, true],
  ['Landed', ({ landed_amount_kobo: kobo }) => kobo ?? 0, true],
  ['Difference', (one) => one.expected_amount_kobo - (one.landed_amount_kobo ?? 0), false],
];

/** Settlements with totals; columns of zeros, and ids beside long sums, do not fit the page. */
export function settlementsTable(settlements: readonly SettlementRow[]): string {
  const shown = columns.filter(
    ([, kobo, isAlwaysShown]) =>
      isAlwaysShown || settlements.some((settlement) => kobo(settlement) !== 0),
  );
  const cell = (kobo: number, column: number) =>
    kobo === 0 && !shown[column]![2] ? '' : naira(kobo);
  const amounts = settlements.map((settlement) => shown.map(([, kobo]) => kobo(settlement)));
  const rows = settlements.map((settlement, row) => [
    settlement.expected_date ?? '',
    settlement.id,
    String(settlement.transaction_count),
    ...amounts[row]!.map(cell),
  ]);
  const payments = settlements.reduce((sum, { transaction_count: lines }) => sum + lines, 0);
  const total = ['Total', '', String(payments), ...sumColumns(amounts).map(naira)];
  const head = ['Date', 'Settlement', 'Payments', ...shown.map(([name]) => name)];
  const lines = [...rows, total];
  const full = drawTable(head, lines, 2);
  const drawn = fits(full) ? full : drawTable(withoutId(head), lines.map(withoutId), 1);
  return settlements.length < maxSettlements
    ? drawn
    : `${drawn}\nOnly the first ${maxSettlements} are listed and added up here.`;
}

const fits = (drawn: string) => drawn.split('\n').every((line) => line.length <= PAGE_WIDTH);

const withoutId = (row: string[]) => row.toSpliced(1, 1);

/** How the difference comes about, and what is no part of it. */
export function balance({ sums, overdue, unknown, underWay, owedKobo }: Report): string {
  const paidOutKobo = sums.expectedKobo - overdue.kobo - unknown.kobo;
  const isAllPaidOut = overdue.count + unknown.count === 0;
  const payments = ({ count: many }: { count: number }) => count(many, 'payment');
  const closed = count(sums.closedCount, 'closed discrepancy');
  const rows: [isShown: boolean, label: string, kobo: number][] = [
    [!isAllPaidOut, 'Expected of these settlements', paidOutKobo],
    [overdue.count > 0, `Missing: ${payments(overdue)} in no settlement`, overdue.kobo],
    [unknown.count > 0, `Not known to the provider any more: ${payments(unknown)}`, unknown.kobo],
    [true, 'Should have landed by now', sums.expectedKobo],
    [true, 'Landed in the bank', sums.landedKobo],
    [true, 'Difference', sums.differenceKobo],
    [true, `  under investigation: ${count(sums.openCount, 'open discrepancy')}`, sums.openKobo],
    [sums.closedCount > 0, `  explained by people: ${closed}`, sums.closedKobo],
    [true, '  in no discrepancy', sums.unexplainedKobo],
    [underWay.count > 0, `Not part of it: ${payments(underWay)} not due yet`, underWay.kobo],
    [owedKobo > 0, 'Not part of it: refunds and chargebacks still to be taken out', -owedKobo],
  ];
  const shown = rows.flatMap(([isShown, label, kobo]) => (isShown ? [[label, naira(kobo)]] : []));
  return drawTable([], shown, 1);
}

/** What both sides say of what was compared, whenever it was paid. */
export function booksTable({ balances, isWhole, wrongCount }: BooksReport): string {
  const rows = balances.map(({ account, records, journal }) => [
    account,
    ...[records, journal, records - journal].map(naira),
  ]);
  const drawn = drawTable(['Account, of all days', 'Records', 'Journal', 'Difference'], rows, 1);
  return [
    drawn,
    ...(isWhole ? [] : ['Compared in part, for there is much: all is compared every night.']),
    ...(wrongCount === 0
      ? []
      : [`${count(wrongCount, 'discrepancy')} of kind books, of all days.`]),
  ].join('\n');
}

function sumColumns(rows: readonly (readonly number[])[]): number[] {
  return rows.reduce((sums: number[], row) => row.map((kobo, n) => kobo + (sums[n] ?? 0)), []);
}

const frame =
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid';

/** Columns before `leftColumns` are of text, the others of numbers. */
export function drawTable(head: string[], rows: string[][], leftColumns: number): string {
  const drawn = new Table({
    head,
    chars: { ...Object.fromEntries(frame.split(' ').map((part) => [part, ''])), middle: '  ' },
    colAligns: rows[0]!.map((_, column) => (column < leftColumns ? 'left' : 'right')),
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  drawn.push(...rows);
  return drawn.toString().replaceAll(/ +$/gm, '');
}
