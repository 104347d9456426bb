import { expect } from 'chai';
import { reportObject } from '../../scripts/reconcile/object.ts';
import { printed } from '../../scripts/reconcile/print.ts';
import type { Reconciled } from '../../scripts/reconcile/run.ts';
import { runHousekeeping } from '../../workers/housekeeping.ts';
import { expectNoLeaks, type Stack, startStack } from '../support/stack.ts';
import { type MonthAccount, type Name, names, openMonthAccounts } from './month/account.ts';
import { makeSales } from './month/business.ts';
import { type Calendar, openCalendar, reportsOn } from './month/calendar.ts';
import { type Story, storyOf } from './month/story.ts';
import { statusOf, sumTallies, tallyOf } from './month/tally.ts';

const naira = (kobo: number) => (kobo / 100).toLocaleString('en', { minimumFractionDigits: 2 });

describe('A month of business at three providers', function () {
  this.timeout(180_000); // a month takes long on a shared machine
  let stack: Stack;
  let calendar: Calendar;
  let accounts: MonthAccount[];
  let story: Story;
  let results: Reconciled[];
  before(async () => {
    stack = await startStack({ payouts: true });
    await runHousekeeping(stack.context); // connections get their tasks
    const accountsByName = await openMonthAccounts(stack);
    accounts = names.map((name) => accountsByName[name]);
    calendar = openCalendar(stack);
    story = storyOf(stack, accountsByName);
  });
  after(async () => {
    await expectNoLeaks(stack);
    await stack[Symbol.asyncDispose]();
  });

  const reports = (to: number) => reportsOn(stack, accounts, calendar.date(0), calendar.date(to));
  const days = () => ({ from: calendar.date(0), to: calendar.date(story.lastDay + 3) });
  const accountOf = ({ connection }: Reconciled) =>
    accounts.find(({ name }) => name === connection.adapter)!;

  const expectExplained = async (day: number, when: string) => {
    for (const { connection, report } of await reports(day))
      expect(report.sums.unexplainedKobo, `${connection.adapter}, day ${day}, ${when}`).to.equal(0);
  };

  it('leaves nothing unexplained on any day', async () => {
    for (let day = 0; day <= story.lastDay; day++) {
      await calendar.goTo(day, 8);
      if (day > 0) await expectExplained(day - 1, 'after its night');
      await expectExplained(day, 'early');
      if (!calendar.isBusinessDay(day)) continue;
      if (day > 0)
        for (const name of ['paystack', 'flutterwave'] as const) await story.payOut(name, day);
      await makeSales(stack, accounts, day, story.withoutNotification[day]);
      await story.afternoons[day]?.();
      await calendar.goTo(day, 22);
      await expectExplained(day, 'evening');
      await story.payOut('monnify', day);
    }
    await calendar.goTo(story.lastDay + 1, 3);
    await expectExplained(story.lastDay, 'in its night');
    results = await reports(story.lastDay + 3);
  });

  it('has the totals that a bookkeeper has', async () => {
    for (const result of results) {
      const { report } = result;
      const { notDue, owedKobo, ...sums } = tallyOf(accountOf(result));
      expect(report.sums).to.include(sums);
      expect([report.underWay, report.owedKobo, report.overdue]).to.deep.equal([
        notDue,
        owedKobo,
        { count: 0, kobo: 0 },
      ]);
    }
  });

  it('has the expected discrepancies, and no other', async () => {
    const left = await story.remaining();
    for (const result of results) {
      const found = result.report.discrepancies.map(({ kind, status, difference_kobo: kobo }) => [
        kind,
        status,
        kobo,
      ]);
      expect(found).to.deep.equal(left[result.connection.adapter as Name]);
    }
  });

  it('resolved the discrepancies that vanished', async () => {
    const rows = await stack.context.db.query<{ kind: string; slot: string; kobo: number }>(
      `select kind, slot, difference_kobo as kobo from discrepancies where status = 'resolved' order by id`,
    );
    expect(rows.map(({ kind, slot, kobo }) => [kind, slot, kobo])).to.deep.equal(story.resolved());
  });

  it('settled every charge that was paid out', async () => {
    const rows = await stack.context.db.query<{
      reference: string;
      status: string;
      settled_at: Date | null;
    }>(
      `select 'SV-' || number as reference, status, settled_at from charges where tenant_id = $1 order by number`,
      [stack.tenant.tenant_id],
    );
    const sales = accounts.flatMap(({ sales }) => sales);
    const sold = new Map(sales.map((sale) => [sale.reference, sale]));
    expect(rows).to.have.length(sales.length);
    expect(
      rows.map(({ reference, status, settled_at: at }) => [reference, status, at !== null]),
    ).to.deep.equal(
      rows.map(({ reference }) => [
        reference,
        statusOf(sold.get(reference)!, story.lastDay),
        sold.get(reference)!.isPaidOut,
      ]),
    );
  });

  it('prints a report no wider than a terminal', () => {
    const page = printed(results, days(), stack.context.clock());
    const { expectedKobo, landedKobo, differenceKobo } = sumTallies(accounts);
    const total = new RegExp(
      `^Total +${naira(expectedKobo)} +${naira(landedKobo)} +${naira(differenceKobo)} +0\\.00 +5$`,
      'm',
    );
    for (const line of [
      total,
      /^ {2}in no discrepancy +0\.00$/m,
      /^5 discrepancies open\./m,
      /^Settlements that failed/m,
    ])
      expect(page).to.match(line);
    for (const differing of accounts
      .map((account) => tallyOf(account).differenceKobo)
      .filter((kobo) => kobo !== 0)) {
      expect(page).to.match(new RegExp(`^ +${naira(differing)} {2}together$`, 'm'));
    }
    expect(page.split('\n').filter((line) => line.length > 160)).to.deep.equal([]);
  });

  it('makes one JSON object', () => {
    const { connections, ...sums } = reportObject(results, days(), stack.context.clock());
    const { expectedKobo, landedKobo, differenceKobo } = sumTallies(accounts);
    expect(sums).to.include({
      complete: true,
      clean: false,
      discrepancy_count: 5,
      unexplained_kobo: 0,
    });
    expect(sums).to.include({
      expected_kobo: expectedKobo,
      landed_kobo: landedKobo,
      difference_kobo: differenceKobo,
    });
    expect(connections.map(({ unexplained_kobo: kobo }) => kobo)).to.deep.equal([0, 0, 0]);
  });
});
