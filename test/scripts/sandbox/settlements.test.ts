import { expect } from 'chai';
import type { Json } from './json.ts';
import { openStage, type Stage } from './stage.ts';

async function settle(stage: Stage, fields: object = {}) {
  const { body } = await stage.control('POST', '/settle', fields);
  return body.data.filter((settlement: Json) => settlement.account_id === stage.accountId);
}

async function newest(stage: Stage) {
  return (await stage.paystack('GET', '/settlement')).body.data[0];
}

describe('sandbox: settlements', () => {
  it('pays out every paid payment once: gross, less fees, less what it is told to fall short by', async () => {
    await using stage = await openStage();
    const paid = [await stage.sale(500_000), await stage.sale(20_000)];
    await stage.order();
    expect(await settle(stage, { provider: 'paystack', short_by_kobo: 500 })).to.have.length(1);
    expect(await settle(stage)).to.have.length(0);
    const settlement = await newest(stage);
    expect(settlement).to.include({
      status: 'success',
      domain: 'test',
      currency: 'NGN',
      deductions: null,
    });
    expect(settlement).to.include({
      total_processed: 520_000,
      total_fees: 17_800,
      total_amount: 502_200,
      effective_amount: 501_700,
    });
    expect(settlement.settlement_date).to.equal('2026-03-02T00:00:00.000Z');

    const lines = (
      await stage.paystack('GET', `/settlement/${settlement.id}/transactions?perPage=1`)
    ).body;
    expect(lines.message).to.equal('Transactions retrieved');
    expect(lines.meta).to.include({ total: 2, total_volume: 520_000, pageCount: 2 });
    const filtered = (await stage.paystack('GET', `/transaction?settlement=${settlement.id}`)).body
      .data;
    expect(filtered.map((row: Json) => row.reference)).to.have.members(paid);
    expect(filtered.every((row: Json) => row.fees > 0)).to.equal(true);
  });

  it('takes refunds completed since, and disputes lost, out of the next one', async () => {
    await using stage = await openStage();
    const refunded = await stage.sale(500_000);
    const disputed = await stage.sale(20_000);
    await settle(stage);
    await stage.paystack('POST', '/refund', { transaction: refunded, amount: 100_000 });
    await stage.pass(1_000);
    await stage.control('POST', '/dispute', { reference: disputed, outcome: 'lost' });
    await stage.sale(500_000);
    await settle(stage);
    expect(await newest(stage)).to.include({
      total_amount: 482_500,
      deductions: 120_000,
      effective_amount: 362_500,
    });
  });

  it('never pays out less than nothing: what does not fit waits for the next settlement', async () => {
    await using stage = await openStage();
    const reference = await stage.sale(500_000);
    await stage.paystack('POST', '/refund', { transaction: reference });
    await stage.pass(1_000);
    await settle(stage);
    expect(await newest(stage)).to.include({ deductions: null, effective_amount: 482_500 });
    await stage.sale(1_000_000);
    await settle(stage);
    expect(await newest(stage)).to.include({ deductions: 500_000, effective_amount: 475_000 });
  });

  it('settles the accounts of one slot', async () => {
    await using stage = await openStage();
    await stage.sale();
    expect(await settle(stage, { provider: 'provider_b' })).to.have.length(0);
    expect(await settle(stage, { provider: 'provider_a' })).to.have.length(1);
  });

  it('pays out a payment once when told to settle twice at once', async () => {
    await using stage = await openStage();
    await stage.sale();
    const both = await Promise.all([settle(stage), settle(stage)]);
    expect(both.flat()).to.have.length(1);
  });

  it('sends no notification and knows only settlements that succeeded', async () => {
    await using stage = await openStage();
    await stage.sale(500_000, { notify: false });
    await settle(stage);
    await stage.sandbox.idle();
    expect(stage.receiver.received).to.deep.equal([]);
    expect((await stage.paystack('GET', '/settlement?status=pending')).body.data).to.deep.equal([]);
    expect(
      (await stage.paystack('GET', '/settlement?status=success&from=2026-03-02&to=2026-03-02')).body
        .data,
    ).to.have.length(1);
  });
});
