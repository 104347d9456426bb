import { discrepancyView } from '../../domain/settlements/discrepancy/row.ts';
import type { ReportDays } from '../../domain/settlements/settlement/report.ts';
import { settlementView } from '../../domain/settlements/settlement/row.ts';
import type { Reconciled } from './run.ts';

/** What `--json` prints. All kobo; lists are bounded, sums are of everything. */
export function reportObject(results: readonly Reconciled[], { from, to }: ReportDays, now: Date) {
  const total = (of: (result: Reconciled) => number) =>
    results.reduce((sum, result) => sum + of(result), 0);
  const discrepancyCount = total(({ report }) => report.sums.openCount);
  const wrongCount = total(({ books }) => books.wrongCount);
  const failed = results.filter(({ failure }) => failure !== null).length;
  return {
    from,
    to,
    drawn_up_at: now.toISOString(),
    complete: failed === 0,
    clean: failed === 0 && discrepancyCount + wrongCount === 0,
    expected_kobo: total(({ report }) => report.sums.expectedKobo),
    landed_kobo: total(({ report }) => report.sums.landedKobo),
    difference_kobo: total(({ report }) => report.sums.differenceKobo),
    discrepancy_count: discrepancyCount,
    discrepancies_kobo: total(({ report }) => report.sums.openKobo),
    unexplained_kobo: total(({ report }) => report.sums.unexplainedKobo),
    books_wrong: wrongCount,
    connections: results.map(ofConnection),
  };
}

function ofConnection({ connection, report, books, failure }: Reconciled) {
  const { sums, overdue, underWay } = report;
  const { id, tenant_id, mode, slot, adapter } = connection;
  return {
    ...{ connection_id: id, tenant_id, mode, provider: slot, adapter, failure },
    expected_kobo: sums.expectedKobo,
    landed_kobo: sums.landedKobo,
    difference_kobo: sums.differenceKobo,
    discrepancy_count: sums.openCount,
    discrepancies_kobo: sums.openKobo,
    closed_count: sums.closedCount,
    closed_kobo: sums.closedKobo,
    unexplained_kobo: sums.unexplainedKobo,
    overdue_count: overdue.count,
    overdue_kobo: overdue.kobo,
    not_due_count: underWay.count,
    not_due_kobo: underWay.kobo,
    owed_kobo: report.owedKobo,
    foreign_kobo: report.settlements.reduce((sum, { foreign_kobo: kobo }) => sum + kobo, 0),
    books_wrong: books.wrongCount,
    books_compared: books.isWhole ? 'all' : 'part',
    books: books.balances.map(({ account, records, journal }) => ({
      ...{ account, records_kobo: records, journal_kobo: journal },
    })),
    settlements: [...report.settlements, ...report.failed].map(settlementView),
    discrepancies: report.discrepancies.map(discrepancyView),
  };
}
