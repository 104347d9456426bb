import { expect } from 'chai';
import type { DiscrepancyRow } from '../../domain/settlements/discrepancy/row.ts';
import type { SettlementRow } from '../../domain/settlements/settlement/row.ts';
import { printed } from '../../scripts/reconcile/print.ts';
import type { Reconciled } from '../../scripts/reconcile/run.ts';

const days = { from: '2026-11-01', to: '2026-11-30' };
const now = new Date('2026-12-01T05:30:00Z');
const none = { count: 0, kobo: 0 };

function settlement(fields: Partial<SettlementRow> = {}): SettlementRow {
  return {
    ...{ id: `stl_${'0'.repeat(26)}`, tenant_id: 'ten', mode: 'test', connection_id: 'con' },
    ...{ slot: 'provider_a', status: 'landed', step: 'reconciled', provider_settlement_id: null },
    ...{ stated_state: 'landed', stated_amount_kobo: null, stated_deductions_kobo: null },
    ...{ statement_version: 1, lines_cursor: null, unreadable_reason: null, failed_reads: 0 },
    ...{ read_again_at: null, totals_computed_at: now, expected_date: '2026-11-02' },
    ...{ expected_amount_kobo: 98_500, landed_amount_kobo: 98_500 },
    ...{ gross_kobo: 100_000, fee_kobo: 1_500, refunds_kobo: 0, chargebacks_kobo: 0 },
    ...{ transaction_count: 1, foreign_kobo: 0, foreign_count: 0 },
    ...{ bank_name: null, bank_account_last4: null, landed_at: now, created_at: now },
    ...fields,
  };
}

function discrepancy(fields: Partial<DiscrepancyRow> = {}): DiscrepancyRow {
  return {
    ...{ id: `dsc_${'0'.repeat(26)}`, tenant_id: 'ten', mode: 'test', connection_id: 'con' },
    ...{ slot: 'provider_a', kind: 'missing', subject: 'cap', settlement_id: null },
    ...{ line_id: null, line: null, charge_id: null, reference: 'SV-100042-x7k2m9qa' },
    ...{ amount_kobo: 1_000, difference_kobo: 1_000, detail: 'It is not there.' },
    ...{ status: 'open', day: '2026-11-03', opened_at: now },
    ...{ closed_by: null, close_reason: null, ended_at: null },
    ...fields,
  };
}

function reconciled(
  report: Partial<Reconciled['report']> = {},
  failure: string | null = null,
): Reconciled {
  const { settlements = [], discrepancies = [] } = report;
  const of = (status: string) => discrepancies.filter((each) => each.status === status);
  const sum = (rows: DiscrepancyRow[]) =>
    rows.reduce((total, { difference_kobo: kobo }) => total + kobo, 0);
  const landedKobo = settlements.reduce((total, { landed_amount_kobo: kobo }) => total + kobo!, 0);
  const [openKobo, closedKobo] = [sum(of('open')), sum(of('closed'))];
  const differenceKobo = openKobo + closedKobo;
  return {
    connection: {
      ...{ id: 'con', tenant_id: 'ten', tenant: 'Ada’s Shop', mode: 'test' },
      ...{ slot: 'provider_a', adapter: 'paystack', disabled_at: null },
    },
    failure,
    books: { balances: [], isWhole: true, wrongCount: 0 },
    report: {
      ...{ settlements, discrepancies, failed: [], owedKobo: 0 },
      ...{ overdue: none, unknown: none, underWay: none },
      sums: {
        ...{ openCount: of('open').length, closedCount: of('closed').length, openKobo, closedKobo },
        ...{ expectedKobo: landedKobo + differenceKobo, landedKobo, differenceKobo },
        unexplainedKobo: 0,
      },
      ...report,
    },
  };
}

const page = (...results: Reconciled[]) => printed(results, days, now);

describe('The page of a reconciliation', () => {
  it('leaves out empty columns', () => {
    const text = page(reconciled({ settlements: [settlement()] }));
    expect(text).to.match(/^Date +Settlement +Payments +Gross +Fees +Expected +Landed$/m);
    expect(text).to.match(/^2026-11-02 +stl_0+ +1 +1,000\.00 +−15\.00 +985\.00 +985\.00$/m);
    expect(text).to.match(/^Total +1 +1,000\.00 +−15\.00 +985\.00 +985\.00$/m);
    expect(text)
      .to.include('Drawn up 1 December 2026, 06:30 in Lagos')
      .and.include('No discrepancy is open.');
  });

  it('fits a terminal, however long the sums and reasons are', () => {
    const kobo = 12_345_678_901;
    const long = settlement({
      ...{ expected_amount_kobo: kobo, landed_amount_kobo: kobo - 1_000_000_000 },
      ...{ gross_kobo: kobo, fee_kobo: kobo, refunds_kobo: kobo, chargebacks_kobo: kobo },
      ...{ foreign_kobo: kobo, foreign_count: 3 },
    });
    const closed = discrepancy({
      status: 'closed',
      close_reason: `It was agreed.\u001b[2J\n${'On the phone. '.repeat(40)}`,
    });
    const both = { settlements: [long], discrepancies: [closed] };
    const text = page(reconciled(both, 'no answer '.repeat(30)));
    expect(text.split('\n').filter((line) => line.length > 160)).to.deep.equal([]);
    expect(text).to.match(/^Date +Payments +Gross /m);
    expect(text).to.include('Closed: It was agreed. [2J On the phone.').and.not.include('\u001b');
  });

  it('stays short with many differences, and still adds up', () => {
    const discrepancies = Array.from({ length: 55 }, () => discrepancy());
    const text = page(reconciled({ discrepancies, overdue: { count: 55, kobo: 55_000 } }));
    expect(text.match(/missing, payment/g)).to.have.length(50);
    expect(text).to.match(
      /^ +50\.00 {2}5 more: npm run ops -- discrepancy list --status all --tenant ten$/m,
    );
    expect(text).to.match(/^ +550\.00 {2}together$/m);
    expect(text).to.match(/^Missing: 55 payments in no settlement +550\.00$/m);
  });

  it('compares connections, and leaves out those without settlements or differences', () => {
    const one = reconciled({ settlements: [settlement()] });
    const text = page(one, one, reconciled());
    expect(text).to.match(/^Total +1,970\.00 +1,970\.00 +0\.00 +0\.00 +0$/m);
    expect(text).to.include('1 connection had nothing to pay out in these days.');
  });

  it('shows what the records and the journal say of each account, and where they differ', () => {
    const balances = [
      { account: 'at_provider' as const, records: 1_000, journal: 1_500 },
      { account: 'collected' as const, records: -1_000, journal: -1_000 },
    ];
    const text = page({ ...reconciled(), books: { balances, isWhole: false, wrongCount: 1 } });
    expect(text)
      .to.match(/^at_provider +10\.00 +15\.00 +−5\.00$/m)
      .and.match(/^collected +−10\.00 +−10\.00 +0\.00$/m)
      .and.match(/^Compared in part, for there is much: all is compared every night\.$/m)
      .and.match(/^1 discrepancy of kind books, of all days\.$/m)
      .and.match(/^The journal is wrong, .*\n {2}npm run ops -- discrepancy list --kind books$/m);
  });

  it('shows what is not due, what is owed, what failed, and what could not be read', () => {
    const report = {
      underWay: { count: 2, kobo: 5_000 },
      owedKobo: 700,
      failed: [settlement({ status: 'failed' })],
    };
    const text = page(reconciled(report, 'it did not answer'));
    for (const line of [
      /^Not part of it: 2 payments not due yet +50\.00$/m,
      /^Not part of it: refunds and chargebacks still to be taken out +−7\.00$/m,
      /^Settlements that failed; .*\n {2}2026-11-02 {2}stl_0+ {2}985\.00$/m,
      /NOT COMPLETE: this connection could not be read completely \(it did not answer\)\./,
      /Not complete: 1 connection could not be read completely\. Run it again later\.$/,
    ])
      expect(text).to.match(line);
  });
});
