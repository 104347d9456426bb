import { expect } from 'chai';
import { csvOf } from '../../api/statements/csv.ts';
import { findConnection } from '../../domain/accounts/connection/connection.ts';
import { type Report, reportOn } from '../../domain/settlements/settlement/report.ts';
import { statementOf } from '../../domain/settlements/statement/statement.ts';
import { runHousekeeping } from '../../workers/housekeeping.ts';
import { expectBooks } from '../support/books.ts';
import { readded } from '../support/re-added.ts';
import { expectNoLeaks, type Stack, startStack } from '../support/stack.ts';
import { type MonthAccount, names, openMonthAccounts } from './month/account.ts';
import { makeSales } from './month/business.ts';
import { type Calendar, openCalendar } from './month/calendar.ts';
import { type Story, storyOf } from './month/story.ts';
import { statusOf, tallyOf } from './month/tally.ts';

describe('A month of business at three providers', function () {
  this.timeout(180_000); // a month takes long on a shared machine
  let stack: Stack;
  let calendar: Calendar;
  let accounts: MonthAccount[];
  let story: Story;
  let results: [account: MonthAccount, report: Report][];
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

  const reports = (to: number) =>
    Promise.all(
      accounts.map(async (account): Promise<(typeof results)[number]> => {
        const { db } = stack.context;
        const connection = (await findConnection(db, account.connectionId))!;
        const days = { from: calendar.date(0), to: calendar.date(to) };
        return [account, await reportOn(db, connection, days)];
      }),
    );
  const expectExplained = async (day: number, when: string) => {
    for (const [{ name }, { sums }] of await reports(day))
      expect(sums.unexplainedKobo, `${name}, day ${day}, ${when}`).to.equal(0);
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

  it('has the totals that a bookkeeper has', () => {
    for (const [account, report] of results) {
      const { notDue, owedKobo, ...sums } = tallyOf(account);
      expect(report.sums).to.include(sums);
      const overdue = { count: 0, kobo: 0 };
      expect(report).to.deep.include({ underWay: notDue, owedKobo, overdue });
    }
  });

  it('has statements, of which one begins where the last ended, and adds up in a spreadsheet', async () => {
    const { tenant_id: tenantId } = stack.tenant;
    const months = [
      ...new Set(
        [calendar.date(0), calendar.date(story.lastDay + 1)].map((day) => day.slice(0, 7)),
      ),
    ];
    let before: ReturnType<typeof readded> = {};
    for (const month of months) {
      const wanted = { month, provider: null, now: stack.clock() };
      const drawnUp = await statementOf(stack.context.db, { tenantId, mode: 'test' }, wanted);
      expect(drawnUp.check.balanced, month).to.equal(true);
      const balances = readded(csvOf(drawnUp));
      for (const [account, { opening }] of Object.entries(balances))
        expect(opening, account).to.equal(before[account]?.closing ?? 0);
      before = balances;
    }
    const landed = accounts.reduce((sum, { landedKobo }) => sum + landedKobo, 0);
    expect(before.bank!.closing).to.equal(landed);
  });

  it('has the expected discrepancies, and no other', async () => {
    const left = await story.remaining();
    for (const [{ name }, { discrepancies }] of results) {
      const found = discrepancies.map((each) => [each.kind, each.status, each.difference_kobo]);
      expect(found).to.deep.equal(left[name]);
    }
  });

  it('resolved the discrepancies that vanished', async () => {
    const rows = await stack.sql`select kind, slot, difference_kobo as kobo from discrepancies
      where status = 'resolved' order by id`;
    expect(rows.map(({ kind, slot, kobo }) => [kind, slot, kobo])).to.deep.equal(story.resolved());
  });

  it('ends with books that balance', () => expectBooks(stack.context.db));

  it('settled every charge that was paid out', async () => {
    const rows = await stack.sql`select 'SV-' || number as reference, status,
        settled_at is not null as settled
      from charges where tenant_id = ${stack.tenant.tenant_id} order by number`;
    const sales = accounts.flatMap(({ sales }) => sales);
    expect(rows).to.have.deep.members(
      sales.map((sale) => ({
        reference: sale.reference,
        status: statusOf(sale, story.lastDay),
        settled: sale.isPaidOut,
      })),
    );
  });
});
