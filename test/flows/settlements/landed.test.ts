import { expect } from 'chai';
import { describeSettlements } from './describe-settlements.ts';

describeSettlements('A settlement', (account) => {
  it('pays out the whole amount where the payer bore the fee', async () => {
    const { stack, openCharges, payOutAndReconcile, settlement, readTransaction, discrepancies } =
      account();
    const [charge] = await openCharges(500_000);
    await stack.control.pay(charge!.reference, { channel: 'bank_transfer', payer_fee_kobo: 7_600 });
    await stack.settle();
    const { landed_kobo: landedKobo } = await payOutAndReconcile();
    expect(landedKobo).to.equal(500_000);
    expect(await settlement('landed')).to.include({
      ...{ gross_kobo: 500_000, fee_kobo: 0, landed_amount_kobo: 500_000, shortfall_kobo: 0 },
    });
    expect(await readTransaction(charge!)).to.include({ status: 'settled', fee_kobo: 0 });
    expect(await discrepancies()).to.deep.equal([]);
  });

  it('is expected on its day, lands, and settles its charges', async () => {
    const { payCharges, reconcile, payOutAndReconcile, settlement } = account();
    const { referencesOf, readTransaction, discrepancies } = account();
    const charges = await payCharges(100_000, 250_000);
    const references = charges.map(({ reference }) => reference).sort();
    await reconcile();
    const before = await Promise.all(charges.map(readTransaction));
    const feeKobo = before[0]!.fee_kobo + before[1]!.fee_kobo;
    expect(feeKobo).to.be.greaterThan(0);
    const amounts = {
      gross_kobo: 350_000,
      fee_kobo: feeKobo,
      refunds_kobo: 0,
      chargebacks_kobo: 0,
      foreign_kobo: 0,
      foreign_count: 0,
    };
    const expected = await settlement('expected');
    expect(expected).to.include({
      ...amounts,
      transaction_count: 2,
      expected_amount_kobo: 350_000 - feeKobo,
    });
    expect(expected).to.include({
      landed_amount_kobo: null,
      shortfall_kobo: null,
      landed_at: null,
      provider: before[0]!.provider,
    });
    expect(await referencesOf(expected)).to.deep.equal(references);

    const { landed_kobo: landedKobo } = await payOutAndReconcile();
    expect(landedKobo).to.equal(350_000 - feeKobo);
    const landed = await settlement('landed');
    expect(landed).to.include({
      ...amounts,
      id: expected.id,
      expected_date: expected.expected_date,
      transaction_count: 2,
    });
    expect(landed).to.include({
      expected_amount_kobo: landedKobo,
      landed_amount_kobo: landedKobo,
      shortfall_kobo: 0,
    });
    expect(landed.landed_at).to.match(/Z$/);
    expect(await referencesOf(landed)).to.deep.equal(references);
    for (const [index, charge] of charges.entries()) {
      const {
        status,
        settlement_id: settlementId,
        settled_at: settledAt,
        fee_kobo: fee,
      } = await readTransaction(charge);
      expect([status, settlementId, settledAt, fee]).to.deep.equal([
        'settled',
        landed.id,
        landed.landed_at,
        before[index]!.fee_kobo,
      ]);
    }
    expect(await discrepancies()).to.deep.equal([]);
  });
});
