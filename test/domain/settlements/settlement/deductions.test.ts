import { expect } from 'chai';
import { recordSettlementNotification } from '../../../../domain/settlements/settlement/record-statement.ts';
import {
  deductedOf,
  forecasts,
  openDiscrepancies,
  paidOut,
  sendBack,
  withSettlementFixture,
} from './with-fixture.ts';

describe('What a settlement took out', () => {
  const opened = withSettlementFixture();

  it('is explained by refunds and lost disputes', async () => {
    const { fixture, passDays } = opened();
    const [one, two] = [await fixture.pay(), await fixture.pay()];
    await sendBack(opened(), one, 100_000);
    await sendBack(opened(), two, 500_000, 'chargeback');
    passDays(1);
    fixture.payOut([one, two], { deductionsKobo: 600_000 });
    await fixture.reconcile();
    const amounts = {
      refunds_kobo: 100_000,
      chargebacks_kobo: 500_000,
      expected_amount_kobo: 365_000,
      landed_amount_kobo: 365_000,
    };
    expect((await paidOut(fixture))[0]).to.include({ status: 'landed', ...amounts });
    expect(await openDiscrepancies(fixture)).to.deep.equal([]);
  });

  it('is assigned to the oldest first, a part at a time', async () => {
    const { fixture, passDays } = opened();
    const payments = [await fixture.pay(), await fixture.pay()];
    const older = await sendBack(opened(), payments[0]!, 300_000);
    passDays(1);
    const newer = await sendBack(opened(), payments[1]!, 200_000, 'chargeback');
    fixture.payOut([payments[0]!], { deductionsKobo: 250_000 });
    await fixture.reconcile();
    expect(await deductedOf(opened())).to.deep.equal({ [older]: 250_000, [newer]: 0 });
    fixture.payOut([payments[1]!], { deductionsKobo: 150_000 });
    await fixture.reconcile();
    expect(await deductedOf(opened())).to.deep.equal({ [older]: 300_000, [newer]: 100_000 });
    const [first, second] = await paidOut(fixture);
    expect(first).to.include({ refunds_kobo: 250_000, chargebacks_kobo: 0 });
    expect(second).to.include({ refunds_kobo: 50_000, chargebacks_kobo: 100_000 });
    expect(await openDiscrepancies(fixture)).to.deep.equal([]);
  });

  it('beyond what is on record is a deduction_mismatch, until the refund is recorded', async () => {
    const { fixture, passDays } = opened();
    const payment = await fixture.pay();
    passDays(1);
    fixture.payOut([payment], { deductionsKobo: 100_000 });
    await fixture.reconcile();
    expect(await openDiscrepancies(fixture)).to.deep.equal([['deduction_mismatch', 100_000]]);
    expect((await paidOut(fixture))[0]).to.include({
      status: 'short',
      expected_amount_kobo: 482_500,
      landed_amount_kobo: 382_500,
    });
    await sendBack(opened(), payment, 60_000);
    await fixture.reconcile();
    expect(await openDiscrepancies(fixture)).to.deep.equal([['deduction_mismatch', 40_000]]);
    await sendBack(opened(), payment, 40_000);
    await fixture.reconcile();
    expect(await openDiscrepancies(fixture)).to.deep.equal([]);
    expect((await paidOut(fixture))[0]).to.include({ status: 'landed', refunds_kobo: 100_000 });
  });

  it('is explained by no refund and no dispute of a payment that came after it landed', async () => {
    const { fixture, passDays } = opened();
    const payment = await fixture.pay();
    passDays(1);
    fixture.payOut([payment], { deductionsKobo: 300_000 });
    passDays(1);
    const asked = await sendBack(opened(), payment, 100_000);
    const lost = await sendBack(opened(), await fixture.pay(), 200_000, 'chargeback');
    await fixture.reconcile();
    expect(await deductedOf(opened())).to.deep.equal({ [asked]: 0, [lost]: 0 });
    expect(await openDiscrepancies(fixture)).to.deep.equal([['deduction_mismatch', 300_000]]);
  });

  it('is explained by a refund made at the provider, and by a dispute, that are recorded after it landed', async () => {
    const { fixture, ledger, passDays } = opened();
    const payment = await fixture.pay();
    passDays(1);
    fixture.payOut([payment], { deductionsKobo: 300_000 });
    passDays(1);
    const made = await sendBack(opened(), payment, 100_000);
    await ledger.rows(`update refunds set origin = 'provider'`);
    const lost = await sendBack(opened(), payment, 200_000, 'chargeback');
    await fixture.reconcile();
    expect(await deductedOf(opened())).to.deep.equal({ [made]: 100_000, [lost]: 200_000 });
    expect(await openDiscrepancies(fixture)).to.deep.equal([]);
  });

  it('is assigned anew when a settlement is stated anew, and then explains another', async () => {
    const { fixture, passDays } = opened();
    const payments = [await fixture.pay(), await fixture.pay()];
    await sendBack(opened(), payments[0]!, 100_000);
    passDays(1);
    const first = fixture.payOut([payments[0]!], { deductionsKobo: 100_000 });
    fixture.payOut([payments[1]!], { deductionsKobo: 100_000 });
    await fixture.reconcile();
    expect(await openDiscrepancies(fixture)).to.deep.equal([['deduction_mismatch', 100_000]]);
    Object.assign(first, { deductionsKobo: 0, amountKobo: 482_500 });
    await fixture.reconcile();
    expect(await openDiscrepancies(fixture), 'in one run').to.deep.equal([]);
    expect((await paidOut(fixture)).map(({ refunds_kobo }) => refunds_kobo)).to.deep.equal([
      0, 100_000,
    ]);
  });

  it('where it is not stated is what did not land, explained by whole refunds only', async () => {
    const { fixture, passDays } = opened();
    const payments = [await fixture.pay(), await fixture.pay(), await fixture.pay()];
    const [small, large] = [
      await sendBack(opened(), payments[0]!, 60_000),
      await sendBack(opened(), payments[1]!, 90_000),
    ];
    passDays(1);
    fixture.payOut([payments[0]!], { deductionsKobo: null, amountKobo: 482_500 - 100_000 });
    await fixture.reconcile();
    expect(await openDiscrepancies(fixture)).to.deep.equal([['short', 40_000]]);
    expect(await deductedOf(opened())).to.deep.equal({ [small]: 60_000, [large]: 0 });
  });

  it('is explained by smaller amounts where a larger one does not fit', async () => {
    const { fixture, passDays } = opened();
    const payments = [await fixture.pay(), await fixture.pay()];
    const large = await sendBack(opened(), payments[1]!, 400_000, 'chargeback');
    const small = await sendBack(opened(), payments[0]!, 60_000);
    passDays(1);
    fixture.payOut(payments, { deductionsKobo: null, amountKobo: 2 * 482_500 - 60_000 });
    await fixture.reconcile();
    expect(await openDiscrepancies(fixture)).to.deep.equal([]);
    expect(await deductedOf(opened())).to.deep.equal({ [small]: 60_000, [large]: 0 });
  });

  it('later is in the next forecast', async () => {
    const { fixture, passDays } = opened();
    const before = await fixture.pay();
    passDays(1);
    fixture.payOut([before]);
    await fixture.reconcile();
    await fixture.pay();
    await sendBack(opened(), before, 50_000);
    await sendBack(opened(), before, 20_000, 'chargeback');
    await fixture.reconcile();
    const [next] = await forecasts(fixture);
    expect(next).to.include({
      gross_kobo: 500_000,
      fee_kobo: 17_500,
      refunds_kobo: 50_000,
      chargebacks_kobo: 20_000,
      expected_amount_kobo: 412_500,
    });
  });

  it('is not explained by a refund that was deducted from the payment itself', async () => {
    const { fixture, passDays } = opened();
    const [gone, paid] = [await fixture.pay(), await fixture.pay()];
    const netted = await sendBack(opened(), gone, 500_000);
    const owed = await sendBack(opened(), paid, 100_000);
    passDays(1);
    fixture.payOut([paid], { deductionsKobo: 100_000 });
    await fixture.reconcile();
    expect(await deductedOf(opened())).to.deep.equal({ [netted]: 0, [owed]: 100_000 });
    passDays(7);
    await fixture.reconcile();
    expect(await openDiscrepancies(fixture), 'it is not missing').to.deep.equal([]);
  });

  it('is owed again when the settlement fails', async () => {
    const { fixture, passDays } = opened();
    const [one, two] = [await fixture.pay(), await fixture.pay()];
    const first = await sendBack(opened(), one, 60_000);
    passDays(1);
    const payout = fixture.payOut([one, two], { deductionsKobo: null, amountKobo: 905_000 });
    await fixture.reconcile();
    const second = await sendBack(opened(), two, 70_000);
    Object.assign(payout, { state: 'failed' });
    await fixture.reconcile();
    expect(await deductedOf(opened())).to.deep.equal({ [first]: 0, [second]: 0 });
    expect(await openDiscrepancies(fixture)).to.deep.equal([]);
  });
});

describe('A settlement of a provider that takes refunds out of a wallet', () => {
  const opened = withSettlementFixture('monnify');

  it('is explained by chargebacks, not by refunds', async () => {
    const { fixture, ledger, passDays } = opened();
    const payments = [await fixture.pay(), await fixture.pay()];
    const refund = await sendBack(opened(), payments[0]!, 100_000);
    const chargeback = await sendBack(opened(), payments[1]!, 200_000, 'chargeback');
    passDays(1);
    const payout = fixture.payOut(payments, { deductionsKobo: null, amountKobo: 765_000 });
    await ledger.tx((tx) => recordSettlementNotification(tx, fixture.context.account, payout));
    await fixture.reconcile();
    const amounts = {
      refunds_kobo: 0,
      chargebacks_kobo: 200_000,
      expected_amount_kobo: 765_000,
      landed_amount_kobo: 765_000,
    };
    expect((await paidOut(fixture))[0]).to.include({ status: 'landed', ...amounts });
    expect(await openDiscrepancies(fixture)).to.deep.equal([]);
    expect(await deductedOf(opened())).to.deep.equal({ [refund]: 0, [chargeback]: 200_000 });
    await fixture.pay();
    await fixture.reconcile();
    expect((await forecasts(fixture))[0], 'what the wallet paid is no payout’s').to.include({
      refunds_kobo: 0,
      expected_amount_kobo: 482_500,
    });
  });

  it('is found by a payment it holds, where no notification of it arrived', async () => {
    const { fixture, passDays } = opened();
    const payment = await fixture.pay();
    passDays(2);
    fixture.payOut([payment], { amountKobo: null, deductionsKobo: null });
    await fixture.reconcile();
    expect((await paidOut(fixture))[0]).to.include({
      status: 'landed',
      landed_amount_kobo: 482_500,
      transaction_count: 1,
    });
    expect(await fixture.charge(payment)).to.include({ status: 'settled' });
  });
});
