import { DateTime } from 'luxon';
import type { ReportDays } from '../../domain/settlements/settlement/report.ts';
import { whatDiffers } from './print-discrepancies.ts';
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
