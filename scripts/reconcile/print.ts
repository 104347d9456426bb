import Table from 'cli-table3';
import { DateTime } from 'luxon';
import type { DiscrepancyRow } from '../../domain/discrepancy/row.ts';
import { formatNaira } from '../../domain/money.ts';
import type { Report, ReportDays } from '../../domain/settlement/report.ts';
import type { SettlementRow } from '../../domain/settlement/row.ts';
import type { Reconciled } from './run.ts';

/** Discrepancies a printed page lists; the API and `ops` list them all. */
const MOST_LISTED = 50;

/** The page that is printed: for each connection with anything to say, its payouts, what makes the difference, and what is to come. */
export function printed(results: readonly Reconciled[], { from, to }: ReportDays, now: Date): string {
  const told = results.filter(hasNews);
  const quiet = results.length - told.length;
  return [
    `Reconciliation of payouts, ${longDay(from)} to ${longDay(to)}`,
    `Drawn up ${DateTime.fromJSDate(now, { zone: 'Africa/Lagos' }).setLocale('en-GB').toFormat('d LLLL yyyy, HH:mm')} in Lagos`,
    ...told.map(section),
    ...(quiet > 0 ? [`${count(quiet, 'connection')} had nothing to pay out in these days.`] : []),
    conclusion(results),
  ].join('\n\n');
}

function hasNews({ report, failure }: Reconciled): boolean {
  const { settlements, failed, underWay, sums } = report;
  return failure !== null || settlements.length + failed.length + underWay.count + sums.openCount + sums.closedCount > 0;
}

function section({ connection, report, failure }: Reconciled): string {
  const { tenant, tenant_id: tenantId, mode, slot, adapter } = connection;
  const title = `${tenant} · ${mode} mode · ${slot} (${adapter})`;
  return [
    `${title}\n${tenantId}\n${'═'.repeat(title.length)}`,
    ...(failure === null ? [] : [`NOT COMPLETE: the provider could not be asked everything (${failure}).`]),
    ...(report.settlements.length > 0 ? [payouts(report.settlements)] : []),
    balance(report),
    ...(report.discrepancies.length > 0 ? [discrepancies(report)] : []),
    ...notes(report),
  ].join('\n\n');
}

function payouts(settlements: readonly SettlementRow[]): string {
  const head = [
    'Date',
    'Settlement',
    'Status',
    'Payments',
    'Gross',
    'Fees',
    'Refunds',
    'Chargebacks',
    'Other business',
    'Expected',
    'Landed',
  ];
  const rows = settlements.map((settlement) => [
    settlement.expected_date ?? '',
    settlement.id,
    settlement.status,
    String(settlement.transaction_count),
    ...amountsOf(settlement).map(naira),
  ]);
  const payments = settlements.reduce((sum, { transaction_count: held }) => sum + held, 0);
  const sums = settlements.map(amountsOf).reduce((sum, amounts) => sum.map((kobo, column) => kobo + amounts[column]!));
  return table(head, [...rows, ['Total', '', '', String(payments), ...sums.map(naira)]], 3);
}

/** As they add up: gross, fees, refunds, chargebacks and other business make what is expected, and beside it stands what landed. */
function amountsOf(settlement: SettlementRow): number[] {
  const { gross_kobo: gross, fee_kobo: fee, refunds_kobo: refunds, chargebacks_kobo: chargebacks, foreign_kobo: foreign } = settlement;
  return [gross, -fee, -refunds, -chargebacks, foreign, settlement.expected_amount_kobo, settlement.landed_amount_kobo ?? 0];
}

function balance({ sums, overdue, underWay, owedKobo }: Report): string {
  const rows: [string, number][] = [
    ['Should have been paid out by now', sums.expectedKobo],
    ['Landed in the bank', sums.landedKobo],
    ['Difference', sums.differenceKobo],
    [`  explained by ${count(sums.openCount, 'open discrepancy')}`, sums.openKobo],
    ...(sums.closedCount > 0
      ? [[`  explained by ${count(sums.closedCount, 'closed discrepancy')}`, sums.closedKobo] as [string, number]]
      : []),
    ['  unexplained', sums.unexplainedKobo],
    ...(overdue.count > 0 ? [[`Of which ${count(overdue.count, 'payment')} in no settlement`, overdue.kobo] as [string, number]] : []),
    ...(underWay.count > 0 ? [[`Not due yet: ${count(underWay.count, 'payment')}`, underWay.kobo] as [string, number]] : []),
    ...(owedKobo > 0 ? [['Refunds and chargebacks still to be taken out', -owedKobo] as [string, number]] : []),
  ];
  return table(
    [],
    rows.map(([label, kobo]) => [label, naira(kobo)]),
    1,
  );
}

function discrepancies({ discrepancies: all, sums }: Report): string {
  const listed = all.slice(0, MOST_LISTED);
  const rest = sums.openCount + sums.closedCount - listed.length;
  const lines = listed.map(describe);
  return [
    'Discrepancies, the largest first',
    ...lines,
    ...(rest > 0 ? [`  … and ${rest} more: npm run ops -- discrepancy list`] : []),
  ].join('\n');
}

function describe(discrepancy: DiscrepancyRow): string {
  const {
    id,
    kind,
    status,
    settlement_id: settlementId,
    reference,
    difference_kobo: differenceKobo,
    detail,
    close_reason: reason,
  } = discrepancy;
  const about = [settlementId, reference].filter((name) => name !== null).join('  ');
  const closed = status === 'closed' ? `\n      Closed: ${reason}` : '';
  return `  ${kind.replaceAll('_', ' ').padEnd(19)} ${naira(differenceKobo).padStart(16)}  ${about}\n      ${detail}${closed}\n      ${id}`;
}

function notes({ failed, settlements }: Report): string[] {
  const given = failed.map(({ id, expected_date: day, expected_amount_kobo: kobo }) => `  ${day ?? ''}  ${id}  ${naira(kobo)}`);
  const other = settlements.reduce((sum, { foreign_count: lines }) => sum + lines, 0);
  return [
    ...(given.length > 0 ? [['Payouts that failed; their payments are expected as before', ...given].join('\n')] : []),
    ...(other > 0
      ? [`Other business: ${count(other, 'line')} under references that are not this service’s, taken as the provider states them.`]
      : []),
  ];
}

function conclusion(results: readonly Reconciled[]): string {
  const failures = results.filter(({ failure }) => failure !== null).length;
  const open = results.reduce((sum, { report }) => sum + report.sums.openCount, 0);
  if (failures > 0) return `Not complete: ${count(failures, 'connection')} could not be asked everything. Run it again later.`;
  if (open > 0) return `${count(open, 'discrepancy')} open. Each stays until it resolves itself or is closed with a reason.`;
  return 'Everything that was due landed. Nothing is open.';
}

function table(head: string[], rows: string[][], leftColumns: number): string {
  const none = Object.fromEntries(
    ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right', 'left', 'left-mid', 'mid', 'mid-mid']
      .concat(['right', 'right-mid'])
      .map((name) => [name, '']),
  );
  const columns = (rows[0] ?? head).length;
  const drawn = new Table({
    head,
    chars: { ...none, middle: '  ' },
    colAligns: Array.from({ length: columns }, (_, column) => (column < leftColumns ? 'left' : 'right')),
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  drawn.push(...rows);
  return drawn.toString();
}

/** The sign stands before the currency, and nothing is never negative. */
function naira(kobo: number): string {
  return kobo < 0 ? `−${formatNaira(-kobo)}` : formatNaira(Math.abs(kobo));
}

function count(many: number, thing: string): string {
  return `${many} ${many === 1 ? thing : thing.replace(/y$/, 'ie').concat('s')}`;
}

function longDay(day: string): string {
  return DateTime.fromISO(day, { locale: 'en-GB' }).toFormat('d LLLL yyyy');
}
