import { expect } from 'chai';
import { lineOf } from './fixture.ts';
import { openIn, paidOut, withSettlementFixture } from './with-fixture.ts';

describe('A line of a payout', () => {
  const opened = withSettlementFixture();

  for (const [how, lineKobo] of Object.entries({ less: 450_000, more: 530_000 })) {
    it(`that states ${how} than was paid is an amount_mismatch of the difference`, async () => {
      const { fixture, pass } = opened();
      const taken = await fixture.pay();
      pass(1);
      fixture.payOut([lineOf(taken, { amountKobo: lineKobo })]);
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
        charge_id: taken.chargeId,
        ...amounts,
      });
      expect(found!.reference).to.equal(taken.capture.reference);
      expect(found!.detail).to.match(how === 'less' ? /₦4,500.*₦5,000/ : /₦5,300.*₦5,000/);
      expect(await fixture.charge(taken)).to.include({
        status: 'settled',
        settlement_id: settlement.id,
      });
    });
  }

  it('with another fee is a fee_mismatch, and the charge shows the fee that was taken', async () => {
    const { fixture, pass } = opened();
    const taken = await fixture.pay();
    pass(1);
    fixture.payOut([lineOf(taken, { feeKobo: 20_000 })]);
    await fixture.reconcile();
    expect(await openIn(fixture)).to.deep.equal([['fee_mismatch', 2_500]]);
    expect((await fixture.discrepancies())[0]!.detail).to.match(/₦200.*₦175/);
    expect(await fixture.charge(taken)).to.include({ status: 'settled', fee_kobo: 20_000 });
  });

  it('with another amount and another fee is both, and the two make the difference', async () => {
    const { fixture, pass } = opened();
    const taken = await fixture.pay();
    pass(1);
    fixture.payOut([lineOf(taken, { amountKobo: 490_000, feeKobo: 18_000 })]);
    await fixture.reconcile();
    expect(await openIn(fixture)).to.deep.equal([
      ['amount_mismatch', 10_000],
      ['fee_mismatch', 500],
    ]);
  });

  it('with a fee the payer bore is no discrepancy, and the fee stays as it was', async () => {
    const { fixture, pass } = opened();
    const taken = await fixture.pay();
    pass(1);
    fixture.payOut([lineOf(taken, { amountKobo: 517_500, feeKobo: 35_000 })]);
    await fixture.reconcile();
    expect(await openIn(fixture)).to.deep.equal([]);
    expect((await paidOut(fixture))[0]).to.include({
      status: 'landed',
      expected_amount_kobo: 482_500,
    });
    expect(await fixture.charge(taken)).to.include({ fee_kobo: 17_500 });
  });

  it('without a fee takes ours, and where nobody stated one, ours is taken from the line', async () => {
    const { fixture, ledger, pass } = opened();
    const [stated, unstated, neither] = [
      await fixture.pay(),
      await fixture.pay({ feeKobo: null }),
      await fixture.pay({ feeKobo: null }),
    ];
    pass(1);
    const lines = [
      lineOf(stated, { feeKobo: null }),
      lineOf(unstated, { feeKobo: 9_000 }),
      lineOf(neither),
    ];
    fixture.payOut(lines, { amountKobo: 482_500 + 491_000 + 500_000 });
    await fixture.reconcile();
    expect(await openIn(fixture)).to.deep.equal([]);
    expect((await paidOut(fixture))[0]).to.include({
      status: 'landed',
      fee_kobo: 26_500,
      expected_amount_kobo: 1_473_500,
    });
    expect((await fixture.charge(unstated)).fee_kobo).to.equal(9_000);
    const fees = await ledger.rows('select fee_kobo from captures order by id');
    expect(fees.map(({ fee_kobo }) => fee_kobo)).to.deep.equal([17_500, 9_000, null]);
  });

  it('of a payment that was paid out before is an amount_mismatch of all of it, and the first payout keeps the payment', async () => {
    const { fixture, pass } = opened();
    const taken = await fixture.pay();
    pass(1);
    fixture.payOut([taken]);
    await fixture.reconcile();
    fixture.payOut([taken]);
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
    expect(await fixture.charge(taken)).to.include({ settlement_id: first.id });
  });

  it('of a payment paid out twice is the other payout’s once the first one is stated without it', async () => {
    const { fixture, ledger, pass } = opened();
    const [twice, other] = [await fixture.pay(), await fixture.pay({ amountKobo: 600_000 })];
    pass(1);
    const first = fixture.payOut([twice, other]);
    fixture.payOut([twice]);
    await fixture.reconcile();
    expect(await openIn(fixture)).to.deep.equal([['amount_mismatch', -482_500]]);
    Object.assign(first, { lines: [lineOf(other)], amountKobo: 582_500 });
    await fixture.reconcile();
    await fixture.reconcile();
    const [, second] = await paidOut(fixture);
    expect(await openIn(fixture)).to.deep.equal([]);
    expect(second).to.include({ transaction_count: 1, expected_amount_kobo: 482_500 });
    pass(10);
    await fixture.reconcile();
    expect(await openIn(fixture), 'nor is it missing').to.deep.equal([]);
    expect(
      await ledger.rows(`select 1 from events where type = 'settlement.landed'`),
    ).to.have.length(2);
  });

  it('of other business is totalled apart, after fees, and no discrepancy', async () => {
    const { fixture, pass } = opened();
    const taken = await fixture.pay();
    pass(1);
    const foreign = [
      { providerPaymentId: 'shop-1', reference: 'ORDER-1', amountKobo: 100_000, feeKobo: 1_500 },
      { providerPaymentId: 'shop-2', reference: '', amountKobo: 50_000, feeKobo: null },
    ];
    fixture.payOut([taken, ...foreign]);
    await fixture.reconcile();
    expect(await openIn(fixture)).to.deep.equal([]);
    const amounts = {
      foreign_kobo: 148_500,
      foreign_count: 2,
      transaction_count: 1,
      expected_amount_kobo: 631_000,
      gross_kobo: 500_000,
    };
    expect((await paidOut(fixture))[0]).to.include({ status: 'landed', ...amounts });
  });

  it('named twice on a page counts once, and the later one stands', async () => {
    const { fixture, pass } = opened();
    const taken = await fixture.pay();
    pass(1);
    fixture.payOut([lineOf(taken, { amountKobo: 1 }), taken], { amountKobo: 482_500 });
    await fixture.reconcile();
    expect(await openIn(fixture)).to.deep.equal([]);
  });
});
