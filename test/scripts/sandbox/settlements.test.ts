import { expect } from 'chai';
import { forEachTest } from '../../support/for-each-test.ts';
import { type Fixture, openFixture } from './fixture.ts';
import type { Json } from './json.ts';

async function settle(fixture: Fixture, fields: object = {}) {
  const { body } = await fixture.control('POST', '/settle', fields);
  return body.data.filter((settlement: Json) => settlement.account_id === fixture.accountId);
}

async function newest(fixture: Fixture) {
  return (await fixture.paystack('GET', '/settlement')).body.data[0];
}

describe('sandbox: settlements', () => {
  const fixture = forEachTest(openFixture);

  it('pays out every paid payment once: gross, less fees, less the shortfall asked for', async () => {
    const paid = [await fixture.sale(500_000), await fixture.sale(20_000)];
    await fixture.order();
    expect(await settle(fixture, { provider: 'paystack', short_by_kobo: 500 })).to.have.length(1);
    expect(await settle(fixture)).to.have.length(0);
    const settlement = await newest(fixture);
    expect(settlement).to.include({
      ...{ status: 'success', domain: 'test', currency: 'NGN', deductions: null },
      ...{ total_processed: 520_000, total_fees: 17_800, total_amount: 502_200 },
      ...{ effective_amount: 501_700, settlement_date: '2026-03-02T00:00:00.000Z' },
    });
    const lines = (
      await fixture.paystack('GET', `/settlement/${settlement.id}/transactions?perPage=1`)
    ).body;
    expect(lines.message).to.equal('Transactions retrieved');
    expect(lines.meta).to.include({ total: 2, total_volume: 520_000, pageCount: 2 });
    const filtered = (await fixture.paystack('GET', `/transaction?settlement=${settlement.id}`))
      .body.data;
    expect(filtered.map((row: Json) => row.reference)).to.have.members(paid);
    expect(filtered.every((row: Json) => row.fees > 0)).to.equal(true);
  });

  it('takes refunds completed since, and disputes lost, out of the next one', async () => {
    const refunded = await fixture.sale(500_000);
    const disputed = await fixture.sale(20_000);
    await settle(fixture);
    await fixture.paystack('POST', '/refund', { transaction: refunded, amount: 100_000 });
    await fixture.pass(1_000);
    await fixture.control('POST', '/dispute', { reference: disputed, outcome: 'lost' });
    await fixture.sale(500_000);
    await settle(fixture);
    const amounts = { total_amount: 482_500, deductions: 120_000, effective_amount: 362_500 };
    expect(await newest(fixture)).to.include(amounts);
  });

  it('never pays out less than nothing: what does not fit waits for the next settlement', async () => {
    const reference = await fixture.sale(500_000);
    await fixture.paystack('POST', '/refund', { transaction: reference });
    await fixture.pass(1_000);
    await settle(fixture);
    expect(await newest(fixture)).to.include({ deductions: null, effective_amount: 482_500 });
    await fixture.sale(1_000_000);
    await settle(fixture);
    expect(await newest(fixture)).to.include({ deductions: 500_000, effective_amount: 475_000 });
  });

  it('pays out a payment once when two settle at the same time', async () => {
    await fixture.sale();
    const both = await Promise.all([settle(fixture), settle(fixture)]);
    expect(both.flat()).to.have.length(1);
  });
});
