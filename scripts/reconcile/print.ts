import { DateTime } from 'luxon';
import type { DiscrepancyRow } from '../../domain/settlements/discrepancy/row.ts';
import type { Report, ReportDays } from '../../domain/settlements/settlement/report.ts';
import { count, inLines, longDay, naira, nameOf } from './print-format.ts';
import { balance, settlementsTable, summary } from './print-tables.ts';
import type { Reconciled } from './run.ts';

/** The printed page: for each connection settlements, differences, and what is still due. */
export function printed(
  results: readonly Reconciled[],
  { from, to }: ReportDays,
  now: Date,
): string {
  const shown = results.filter(hasContent);
  const empty = results.length - shown.length;
  return [
    `Reconciliation of settlements, ${longDay(from)} to ${longDay(to)}`,
    `Drawn up ${DateTime.fromJSDate(now, { zone: 'Africa/Lagos' }).setLocale('en-GB').toFormat('d LLLL yyyy, HH:mm')} in Lagos. All sums are in naira.`,
    ...(shown.length > 1 ? [summary(shown)] : []),
    ...shown.map(section),
    ...(empty > 0 ? [`${count(empty, 'connection')} had nothing to pay out in these days.`] : []),
    conclusion(results),
  ].join('\n\n');
}

function hasContent({ report, failure }: Reconciled): boolean {
  const { settlements, failed, underWay, sums, owedKobo } = report;
  return (
    failure !== null ||
    settlements.length +
      failed.length +
      underWay.count +
      sums.openCount +
      sums.closedCount +
      owedKobo >
      0
  );
}

function section({ connection, report, failure }: Reconciled): string {
  const title = nameOf(connection);
  return [
    `${title}\n${'═'.repeat(title.length)}\nTenant ${connection.tenant_id}, connection ${connection.id}`,
    ...(failure === null
      ? []
      : [
          inLines(`NOT COMPLETE: this connection could not be read completely (${failure}).`).join(
            '\n',
          ),
        ]),
    ...(report.settlements.length > 0 ? [settlementsTable(report.settlements)] : []),
    balance(report),
    ...whatDiffers(report, connection.tenant_id),
    ...notes(report),
  ].join('\n\n');
}

function notes({ failed, settlements }: Reconciled['report']): string[] {
  const given = failed.map(
    ({ id, expected_date: day, expected_amount_kobo: kobo }) =>
      `  ${day ?? ''}  ${id}  ${naira(kobo)}`,
  );
  const other = settlements.reduce((sum, { foreign_count: lines }) => sum + lines, 0);
  return [
    ...(given.length > 0
      ? [
          [
            'Settlements that failed; what they were to hold is expected with a later one',
            ...given,
          ].join('\n'),
        ]
      : []),
    ...(other > 0
      ? [
          `Other: ${count(other, 'payment')} of other business, under references that are not this service’s, after fees as the provider states them.`,
        ]
      : []),
  ];
}

function conclusion(results: readonly Reconciled[]): string {
  const failures = results.filter(({ failure }) => failure !== null).length;
  const open = results.reduce((sum, { report }) => sum + report.sums.openCount, 0);
  if (failures > 0)
    return `Not complete: ${count(failures, 'connection')} could not be read completely. Run it again later.`;
  if (open > 0) {
    return `${count(open, 'discrepancy')} open. Each stays open until it does not differ any more or is closed:\n  npm run ops -- discrepancy close <id> --reason "why"`;
  }
  return 'Everything that was due landed. No discrepancy is open.';
}

/** Discrepancies a printed page lists; the API and `ops` list them all. */
const MOST_LISTED = 50;

/** The discrepancies of a connection, the largest first, and their sum, which is the difference. */
export function whatDiffers(
  { discrepancies: all, settlements, sums }: Report,
  tenantId: string,
): string[] {
  if (all.length === 0) return [];
  const listed = all.slice(0, MOST_LISTED);
  const days = new Map(settlements.map(({ id, expected_date: day }) => [id, day]));
  const rest = sums.openCount + sums.closedCount - listed.length;
  const listedKobo = listed.reduce((sum, { difference_kobo: kobo }) => sum + kobo, 0);
  const together = sums.openKobo + sums.closedKobo;
  return [
    [
      'The discrepancies that make the difference, after fees, the largest first. ' +
        'A minus: more landed than should have.',
      ...listed.map((discrepancy) => describe(discrepancy, days)),
      ...(rest > 0
        ? [
            `${amount(together - listedKobo)}  ${rest} more: npm run ops -- discrepancy list --status all --tenant ${tenantId}`,
          ]
        : []),
      `${amount(together)}  together`,
    ].join('\n'),
  ];
}

const WIDTH = 16;
const INDENT = `\n${' '.repeat(WIDTH + 2)}`;

function describe(discrepancy: DiscrepancyRow, days: ReadonlyMap<string, string | null>): string {
  const {
    id,
    kind,
    status,
    settlement_id: settlementId,
    reference,
    day,
    difference_kobo: kobo,
    detail,
    close_reason: reason,
  } = discrepancy;
  const payment = reference === null ? [] : [`payment ${reference}`];
  const where =
    settlementId === null
      ? [`${kind === 'never_notified' ? 'paid' : 'due'} ${day}`]
      : [`settlement ${settlementId} of ${days.get(settlementId) ?? day}`];
  const closed = status === 'closed' ? [`Closed: ${reason}`] : [];
  const headline = [kind.replaceAll('_', ' '), ...payment, ...where].join(', ');
  const details = [detail, ...closed].flatMap((text) => inLines(text, INDENT.length));
  return [`${amount(kobo)}  ${headline}`, ...details, id].join(INDENT);
}

const amount = (kobo: number): string => naira(kobo).padStart(WIDTH);
