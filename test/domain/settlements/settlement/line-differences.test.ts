import { expect } from 'chai';
import { lineOf } from './fixture.ts';
import { openDiscrepancies, paidOut, withSettlementFixture } from './with-fixture.ts';

describe('A line of a settlement', () => {
  const opened = withSettlementFixture();

  for (const [how, lineKobo] of Object.entries({ less: 450_000, more: 530_000 })) {
    it(`that states ${how} than was paid is an amount_mismatch of the difference`, async () => {
      const { fixture, passDays } = opened();
      const payment = await fixture.pay();
      passDays(1);
      fixture.payOut([lineOf(payment, { amountKobo: lineKobo })]);
      await fixture.reconcile();
      const [settlement] = await paidOut(fixture);
      expect(settlement).to.include({
        expected_amount_kobo: 482_500,
        landed_amount_kobo: lineKobo - 17_500,
        gross_kobo: 500_000,
      });
      expect(settlement.status).to.equal(how === 'less' ? 'short' : 'landed');
      const [found] = await fixture.discrepancies();
      const differenceKobo = 500_000 - lineKobo;
      const amounts = { amount_kobo: Math.abs(differenceKobo), difference_kobo: differenceKobo };
      expect(found).to.include({
        kind: 'amount_mismatch',
        settlement_id: settlement.id,
        charge_id: payment.chargeId,
        ...amounts,
      });
      expect(found!.reference).to.equal(payment.capture.reference);
      expect(found!.detail).to.match(how === 'less' ? /₦4,500.*₦5,000/ : /₦5,300.*₦5,000/);
      expect(await fixture.charge(payment)).to.include({
        status: 'settled',
        settlement_id: settlement.id,
      });
    });
  }

  it('with another fee is a fee_mismatch, and the charge has the fee of the line', async () => {
    const { fixture, passDays } = opened();
    const payment = await fixture.pay();
    passDays(1);
    fixture.payOut([lineOf(payment, { feeKobo: 20_000 })]);
    await fixture.reconcile();
    expect(await openDiscrepancies(fixture)).to.deep.equal([['fee_mismatch', 2_500]]);
    expect((await fixture.discrepancies())[0]!.detail).to.match(/₦200.*₦175/);
    expect(await fixture.charge(payment)).to.include({ status: 'settled', fee_kobo: 20_000 });
  });

  it('with another amount and another fee is both, and the two add up to the difference', async () => {
    const { fixture, passDays } = opened();
    const payment = await fixture.pay();
    passDays(1);
    fixture.payOut([lineOf(payment, { amountKobo: 490_000, feeKobo: 18_000 })]);
    await fixture.reconcile();
    expect(await openDiscrepancies(fixture)).to.deep.equal([
      ['amount_mismatch', 10_000],
      ['fee_mismatch', 500],
    ]);
  });

  it('with a fee that the payer bore is no discrepancy, and the fee of the charge stays', async () => {
    const { fixture, passDays } = opened();
    const payment = await fixture.pay();
    passDays(1);
    fixture.payOut([lineOf(payment, { amountKobo: 517_500, feeKobo: 35_000 })]);
    await fixture.reconcile();
    expect(await openDiscrepancies(fixture)).to.deep.equal([]);
    expect((await paidOut(fixture))[0]).to.include({
      status: 'landed',
      expected_amount_kobo: 482_500,
    });
    expect(await fixture.charge(payment)).to.include({ fee_kobo: 17_500 });
  });

  it('without a fee has ours; a fee that was not stated before is that of the line', async () => {
    const { fixture, ledger, passDays } = opened();
    const [stated, unstated, neither] = [
      await fixture.pay(),
      await fixture.pay({ feeKobo: null }),
      await fixture.pay({ feeKobo: null }),
    ];
    passDays(1);
    const lines = [
      lineOf(stated, { feeKobo: null }),
      lineOf(unstated, { feeKobo: 9_000 }),
      lineOf(neither),
    ];
    fixture.payOut(lines, { amountKobo: 482_500 + 491_000 + 500_000 });
    await fixture.reconcile();
    expect(await openDiscrepancies(fixture)).to.deep.equal([]);
    expect((await paidOut(fixture))[0]).to.include({
      status: 'landed',
      fee_kobo: 26_500,
      expected_amount_kobo: 1_473_500,
    });
    expect((await fixture.charge(unstated)).fee_kobo).to.equal(9_000);
    const fees = await ledger.rows('select fee_kobo from captures order by id');
    expect(fees.map(({ fee_kobo }) => fee_kobo)).to.deep.equal([17_500, 9_000, null]);
  });

  it('of a payment that was paid out before is an amount_mismatch of all of it, and the first settlement keeps the payment', async () => {
    const { fixture, passDays } = opened();
    const payment = await fixture.pay();
    passDays(1);
    fixture.payOut([payment]);
    await fixture.reconcile();
    fixture.payOut([payment]);
    await fixture.reconcile();
    const [first, second] = await paidOut(fixture);
    expect(first).to.include({ status: 'landed', transaction_count: 1 });
    expect(second).to.include({
      status: 'landed',
      transaction_count: 0,
      expected_amount_kobo: 0,
      landed_amount_kobo: 482_500,
    });
    const [found] = await fixture.discrepancies();
    expect(found).to.include({
      kind: 'amount_mismatch',
      difference_kobo: -482_500,
      settlement_id: second.id,
    });
    expect(found!.detail).to.contain(first.id);
    expect(await fixture.charge(payment)).to.include({ settlement_id: first.id });
  });

  it('of a payment paid out twice is the other settlement’s once the first is stated without it', async () => {
    const { fixture, ledger, passDays } = opened();
    const [twice, other] = [await fixture.pay(), await fixture.pay({ amountKobo: 600_000 })];
    passDays(1);
    const first = fixture.payOut([twice, other]);
    fixture.payOut([twice]);
    await fixture.reconcile();
    expect(await openDiscrepancies(fixture)).to.deep.equal([['amount_mismatch', -482_500]]);
    Object.assign(first, { lines: [lineOf(other)], amountKobo: 582_500 });
    await fixture.reconcile();
    await fixture.reconcile();
    const [, second] = await paidOut(fixture);
    expect(await openDiscrepancies(fixture)).to.deep.equal([]);
    expect(second).to.include({ transaction_count: 1, expected_amount_kobo: 482_500 });
    passDays(10);
    await fixture.reconcile();
    expect(await openDiscrepancies(fixture), 'nor is it missing').to.deep.equal([]);
    expect(
      await ledger.rows(`select 1 from events where type = 'settlement.landed'`),
    ).to.have.length(2);
  });

  it('of other business is foreign, after fees, and no discrepancy', async () => {
    const { fixture, passDays } = opened();
    const payment = await fixture.pay();
    passDays(1);
    const foreign = [
      { providerPaymentId: 'shop-1', reference: 'ORDER-1', amountKobo: 100_000, feeKobo: 1_500 },
      { providerPaymentId: 'shop-2', reference: '', amountKobo: 50_000, feeKobo: null },
    ];
    fixture.payOut([payment, ...foreign]);
    await fixture.reconcile();
    expect(await openDiscrepancies(fixture)).to.deep.equal([]);
    const amounts = {
      foreign_kobo: 148_500,
      foreign_count: 2,
      transaction_count: 1,
      expected_amount_kobo: 631_000,
      gross_kobo: 500_000,
    };
    expect((await paidOut(fixture))[0]).to.include({ status: 'landed', ...amounts });
  });

  it('that a page has twice counts once, and the later one stands', async () => {
    const { fixture, passDays } = opened();
    const payment = await fixture.pay();
    passDays(1);
    fixture.payOut([lineOf(payment, { amountKobo: 1 }), payment], { amountKobo: 482_500 });
    await fixture.reconcile();
    expect(await openDiscrepancies(fixture)).to.deep.equal([]);
  });
});
