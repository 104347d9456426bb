import { expect } from 'chai';
import { post } from '../../../domain/journal/post.ts';
import { newId } from '../../../domain/shared/ids.ts';
import { paidCharge } from '../../support/charges.ts';
import { DAY, HOUR } from '../../support/clock.ts';
import { csvRows } from '../../support/csv-rows.ts';
import { dashboardMember } from '../../support/dashboard.ts';
import { memberOf } from '../../support/members.ts';
import { approvedRefund, settleRefunds } from '../../support/refunds.ts';
import { useStack } from '../../support/stack.ts';

/** What its lines add up to. */
function balancesIn(text: string): string[] {
  const kobo: Record<string, number> = {};
  for (const [, account, naira] of text.matchAll(/^ {2}(\S+) {2}(\S+) NGN/gm))
    kobo[account!] = (kobo[account!] ?? 0) + Math.round(Number(naira) * 100);
  return Object.entries(kobo).map(([account, sum]) => `${account} ${(sum / 100).toFixed(2)}`);
}

const isoDay = (moment: Date) => moment.toISOString().slice(0, 10);

describe('A file of the journal', () => {
  const stack = useStack({ payouts: true, newTenants: true, books: false });
  const download = async (path: string) =>
    (await dashboardMember(stack, stack.tenant, 'viewer')).get(path);
  const file = async (path: string) => {
    const { status, html } = await download(path);
    expect(status).to.equal(200);
    return html;
  };
  const csv = async (query = '') => csvRows(await file(`/journal.csv${query}`));
  const amounts = async (query = '') =>
    (await csv(query)).map(({ amount_kobo }) => Number(amount_kobo));
  const change = async (settings: object) => {
    const { api } = await memberOf(stack, stack.tenant, 'owner');
    expect((await api.patch('/business', settings)).status).to.equal(200);
  };

  /** A posting for each amount, all at once. */
  async function posted(kobo: readonly number[], mode = 'test'): Promise<void> {
    const { tenant_id: tenantId } = stack.tenant;
    const [connection] = await stack.sql<{ id: string }>`select id from connections
      where tenant_id = ${tenantId} and slot = 'provider_a'`;
    const owner = { tenantId, mode, connectionId: connection!.id };
    await stack.context.inTx(async (tx) => {
      const movements = kobo.map((amount) => ({
        ...{ source: newId('cap', tx.now), type: 'capture' as const, occurredAt: tx.now },
        moved: { at_provider: amount, collected: -amount },
      }));
      await post(tx, owner, movements, { isNew: true });
    });
  }

  /** Moves the clock to a time of the next day in UTC, which is returned. */
  function tomorrowAt(time: string): string {
    const day = isoDay(new Date(stack.clock().getTime() + DAY));
    stack.clock.advance(Date.parse(`${day}T${time}Z`) - stack.clock().getTime());
    return day;
  }

  it('has a line for each posting, with the codes of the business and the reference that people know', async () => {
    const codes = { at_provider: '1210', collected: '4000' };
    await change({ account_codes: codes });
    const charge = await paidCharge(stack, { amount_kobo: 500_000 });
    const { id: refund } = await approvedRefund(stack, charge, 200_000);
    await settleRefunds(stack);
    stack.clock.advance(DAY);
    await stack.control.settle();
    await stack.pass(2 * HOUR);
    const [payout] = (await stack.api.get('/settlements?status=landed')).json.data;
    const lines = (await csv()).map((line) =>
      [line.type, line.reference, line.debit_account, line.debit_code, line.credit_account]
        .concat(line.credit_code!, line.amount_naira!)
        .join(' '),
    );
    const { reference } = charge;
    expect(lines).to.have.members([
      `capture ${reference} at_provider 1210 collected 4000 5000.00`,
      `fee ${reference} fees fees at_provider 1210 175.00`,
      `refund ${reference} refunds refunds at_provider 1210 2000.00`,
      `payout ${payout.id} bank bank at_provider 1210 2825.00`,
    ]);
    const sources = (await csv()).map(({ type, source }) => [type, source]);
    const { id: transaction } = charge.transaction!;
    expect(Object.fromEntries(sources)).to.deep.equal({
      ...{ capture: transaction, fee: transaction, refund, payout: payout.id },
    });
    const account = { provider: 'provider_a', provider_account: 'Paystack', currency: 'NGN' };
    for (const line of await csv()) expect(line).to.include(account);
  });

  it('has the days of the time zones of then, whatever the zone is now', async () => {
    const first = tomorrowAt('22:30');
    await posted([100]);
    stack.clock.advance(HOUR); // half past midnight in Lagos
    await posted([200]);
    const second = isoDay(new Date(Date.parse(first) + DAY));
    const days = async () => [await amounts(`?to=${first}`), await amounts(`?from=${second}`)];
    expect(await days()).to.deep.equal([[100], [200]]);
    await change({ time_zone: 'UTC' });
    stack.clock.advance(2 * HOUR);
    await posted([300]);
    expect(await days()).to.deep.equal([[100], [200, 300]]);
    expect((await csv()).map(({ date }) => date)).to.deep.equal([first, second, second]);
  });

  it('begins with the balances of the days before, and ends with those of all days', async () => {
    const first = tomorrowAt('12:00');
    await posted([500_000]);
    const second = tomorrowAt('12:00');
    await posted([20_050]);
    const text = (query: string) => file(`/journal.txt${query}`);
    const balances = (naira: string) => [
      `Assets:At-Provider:Paystack ${naira}`,
      `Income:Collected:Paystack -${naira}`,
    ];
    expect(balancesIn(await text(`?to=${first}`))).to.deep.equal(balances('5000.00'));
    for (const query of ['', `?from=${first}&to=${second}`, `?from=${second}`])
      expect(balancesIn(await text(query)), query).to.deep.equal(balances('5200.50'));
    expect(await text(`?from=${second}`)).to.include(`${first} * "Opening balances"`);
    expect(await text(`?from=${first}`)).not.to.include('Opening');
  });

  it('has every posting of its mode, on however many pages', async () => {
    const kobo = Array.from({ length: 2_100 }, (_, n) => n + 1);
    await posted(kobo);
    await posted([9_999_999], 'live');
    expect(await amounts()).to.have.members(kobo);
  });

  it('is reached by a form of its view', async () => {
    const { html } = await download('/journal');
    expect(html).to.include('action="/dashboard/journal.csv"');
    expect(html).to.include('formaction="/dashboard/journal.txt">Export for hledger or beancount<');
  });

  it('is refused for days that are none', async () => {
    for (const query of ['?from=yesterday', '?from=2026-02-02&to=2026-02-01', '?to=2026-02-30'])
      for (const path of ['/journal.csv', '/journal.txt']) {
        const { status, headers } = await download(`${path}${query}`);
        expect([status, headers.get('content-disposition')], path + query).to.deep.equal([
          422,
          null,
        ]);
      }
  });
});
