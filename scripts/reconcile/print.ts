import { DateTime } from 'luxon';
import type { DiscrepancyRow } from '../../domain/settlements/discrepancy/row.ts';
import type { DiscrepancyKind } from '../../domain/settlements/discrepancy/transitions.ts';
import type { Report, ReportDays } from '../../domain/settlements/settlement/report.ts';
import type { SettlementRow } from '../../domain/settlements/settlement/row.ts';
import { count, inLines, longDay, naira, nameOf } from './print-format.ts';
import { balance, booksTable, settlementsTable, summary } from './print-tables.ts';
import type { Reconciled } from './run.ts';

/** The printed page: for each connection settlements, differences, and what is still due. */
export function printed(results: readonly Reconciled[], { from, to }: ReportDays, now: Date) {
  const shown = results.filter(hasContent);
  const empty = results.length - shown.length;
  const drawnUp = DateTime.fromJSDate(now, { zone: 'Africa/Lagos' }).setLocale('en-GB');
  return joined('\n\n', [
    `Reconciliation of settlements, ${longDay(from)} to ${longDay(to)}`,
    `Drawn up ${drawnUp.toFormat('d LLLL yyyy, HH:mm')} in Lagos. All sums are in naira.`,
    shown.length > 1 && summary(shown),
    ...shown.map(section),
    empty > 0 && `${count(empty, 'connection')} had nothing to pay out in these days.`,
    conclusion(results),
  ]);
}

const joined = (between: string, parts: readonly (string | false)[]) =>
  parts.filter((part) => part !== false).join(between);

function hasContent({ report, books, failure }: Reconciled): boolean {
  const { settlements, failed, underWay, sums, owedKobo } = report;
  const { openCount, closedCount } = sums;
  const counts = [underWay.count, openCount, closedCount, owedKobo, books.wrongCount];
  const rows = settlements.length + failed.length;
  return failure !== null || rows > 0 || counts.some((count) => count > 0);
}

function section({ connection, report, books, failure }: Reconciled): string {
  const title = nameOf(connection);
  const { settlements, failed } = report;
  const other = settlements.reduce((sum, { foreign_count: lines }) => sum + lines, 0);
  return joined('\n\n', [
    `${title}\n${'═'.repeat(title.length)}\nTenant ${connection.tenant_id}, connection ${connection.id}`,
    failure !== null &&
      inLines(`NOT COMPLETE: this connection could not be read completely (${failure}).`).join(
        '\n',
      ),
    settlements.length > 0 && settlementsTable(settlements),
    balance(report),
    whatDiffers(report, connection.tenant_id),
    failed.length > 0 &&
      `Settlements that failed; what they were to hold is expected with a later one\n${failed.map(failedLine).join('\n')}`,
    books.balances.length > 0 && booksTable(books),
    other > 0 &&
      `Other: ${count(other, 'payment')} of other business, under references that are not this service’s, after fees as the provider states them.`,
  ]);
}

const failedLine = ({ expected_date: day, id, expected_amount_kobo: kobo }: SettlementRow) =>
  `  ${day ?? ''}  ${id}  ${naira(kobo)}`;

function conclusion(results: readonly Reconciled[]): string {
  const failures = results.filter(({ failure }) => failure !== null).length;
  const open = results.reduce((sum, { report }) => sum + report.sums.openCount, 0);
  if (failures > 0)
    return `Not complete: ${count(failures, 'connection')} could not be read completely. Run it again later.`;
  const wrong = results.reduce((sum, { books }) => sum + books.wrongCount, 0);
  const journal = `The journal is wrong, which is a fault of this service:\n  npm run ops -- discrepancy list --kind books`;
  const closing = `${count(open, 'discrepancy')} open. Each stays open until it does not differ any more or is closed:\n  npm run ops -- discrepancy close <id> --reason "why"`;
  if (wrong + open > 0) return joined('\n', [wrong > 0 && journal, open > 0 && closing]);
  return 'Everything that was due landed. No discrepancy is open.';
}

/** Discrepancies a printed page lists; the API and `ops` list them all. */
const MOST_LISTED = 50;

/** The discrepancies of a connection, the largest first, and their sum, which is the difference. */
function whatDiffers({ discrepancies: all, settlements, sums }: Report, tenantId: string) {
  if (all.length === 0) return false;
  const listed = all.slice(0, MOST_LISTED);
  const days = new Map(settlements.map(({ id, expected_date: day }) => [id, day]));
  const rest = sums.openCount + sums.closedCount - listed.length;
  const listedKobo = listed.reduce((sum, { difference_kobo: kobo }) => sum + kobo, 0);
  const together = sums.openKobo + sums.closedKobo;
  return joined('\n', [
    'The discrepancies that make the difference, after fees, the largest first. ' +
      'A minus: more landed than should have.',
    ...listed.map((discrepancy) => describe(discrepancy, days)),
    rest > 0 &&
      `${amount(together - listedKobo)}  ${rest} more: npm run ops -- discrepancy list --status all --tenant ${tenantId}`,
    `${amount(together)}  together`,
  ]);
}

const WIDTH = 16;
const INDENT = `\n${' '.repeat(WIDTH + 2)}`;

const verbs: Partial<Record<DiscrepancyKind, string>> = { never_notified: 'paid', books: 'of' };

function describe(row: DiscrepancyRow, days: ReadonlyMap<string, string | null>): string {
  const { kind, settlement_id: settlementId, reference, day } = row;
  const where =
    settlementId === null
      ? `${verbs[kind] ?? 'due'} ${day}`
      : `settlement ${settlementId} of ${days.get(settlementId) ?? day}`;
  const payment = reference !== null && `payment ${reference}`;
  const headline = joined(', ', [kind.replaceAll('_', ' '), payment, where]);
  const closed = row.status === 'closed' ? [`Closed: ${row.close_reason}`] : [];
  const details = [row.detail, ...closed].flatMap((text) => inLines(text, INDENT.length));
  return [`${amount(row.difference_kobo)}  ${headline}`, ...details, row.id].join(INDENT);
}

const amount = (kobo: number): string => naira(kobo).padStart(WIDTH);
