import { expect } from 'chai';
import { takeNotice } from '../../../../domain/settlements/settlement/notice.ts';
import { forecasts, openIn, paidOut, sendBack, takenOf, withTill } from './with-till.ts';

describe('What went back, in a payout', () => {
  const opened = withTill();

  it('is explained by refunds and lost disputes, and makes the payout none the worse', async () => {
    const { till, pass } = opened();
    const [one, two] = [await till.pay(), await till.pay()];
    await sendBack(opened(), one, 100_000);
    await sendBack(opened(), two, 500_000, 'chargeback');
    pass(1);
    till.payOut([one, two], { deductionsKobo: 600_000 });
    await till.reconcile();
    const amounts = {
      refunds_kobo: 100_000,
      chargebacks_kobo: 500_000,
      expected_amount_kobo: 365_000,
      landed_amount_kobo: 365_000,
    };
    expect((await paidOut(till))[0]).to.include({ status: 'landed', ...amounts });
    expect(await openIn(till)).to.deep.equal([]);
  });

  it('is shared out over payouts the oldest first, a part at a time', async () => {
    const { till, pass } = opened();
    const payments = [await till.pay(), await till.pay()];
    const older = await sendBack(opened(), payments[0]!, 300_000);
    pass(1);
    const newer = await sendBack(opened(), payments[1]!, 200_000, 'chargeback');
    till.payOut([payments[0]!], { deductionsKobo: 250_000 });
    await till.reconcile();
    expect(await takenOf(opened())).to.deep.equal({ [older]: 250_000, [newer]: 0 });
    till.payOut([payments[1]!], { deductionsKobo: 150_000 });
    await till.reconcile();
    expect(await takenOf(opened())).to.deep.equal({ [older]: 300_000, [newer]: 100_000 });
    const [first, second] = await paidOut(till);
    expect(first).to.include({ refunds_kobo: 250_000, chargebacks_kobo: 0 });
    expect(second).to.include({ refunds_kobo: 50_000, chargebacks_kobo: 100_000 });
    expect(await openIn(till)).to.deep.equal([]);
  });

  it('more than is known is a deduction_mismatch, until the refund is heard of', async () => {
    const { till, pass } = opened();
    const taken = await till.pay();
    pass(1);
    till.payOut([taken], { deductionsKobo: 100_000 });
    await till.reconcile();
    expect(await openIn(till)).to.deep.equal([['deduction_mismatch', 100_000]]);
    expect((await paidOut(till))[0]).to.include({
      status: 'short',
      expected_amount_kobo: 482_500,
      landed_amount_kobo: 382_500,
    });
    await sendBack(opened(), taken, 60_000);
    await till.reconcile();
    expect(await openIn(till)).to.deep.equal([['deduction_mismatch', 40_000]]);
    await sendBack(opened(), taken, 40_000);
    await till.reconcile();
    expect(await openIn(till)).to.deep.equal([]);
    expect((await paidOut(till))[0]).to.include({ status: 'landed', refunds_kobo: 100_000 });
  });

  it('is shared out anew when a payout is stated anew, and another one it explains is mended with it', async () => {
    const { till, pass } = opened();
    const payments = [await till.pay(), await till.pay()];
    await sendBack(opened(), payments[0]!, 100_000);
    pass(1);
    const first = till.payOut([payments[0]!], { deductionsKobo: 100_000 });
    till.payOut([payments[1]!], { deductionsKobo: 100_000 });
    await till.reconcile();
    expect(await openIn(till)).to.deep.equal([['deduction_mismatch', 100_000]]);
    Object.assign(first, { deductionsKobo: 0, amountKobo: 482_500 });
    await till.reconcile();
    expect(await openIn(till), 'in one run').to.deep.equal([]);
    expect((await paidOut(till)).map(({ refunds_kobo }) => refunds_kobo)).to.deep.equal([
      0, 100_000,
    ]);
  });

  it('unless it is stated, is looked for in what did not land, entirely or not at all', async () => {
    const { till, pass } = opened();
    const payments = [await till.pay(), await till.pay(), await till.pay()];
    const [small, large] = [
      await sendBack(opened(), payments[0]!, 60_000),
      await sendBack(opened(), payments[1]!, 90_000),
    ];
    pass(1);
    till.payOut([payments[0]!], { deductionsKobo: null, amountKobo: 482_500 - 100_000 });
    await till.reconcile();
    expect(await openIn(till)).to.deep.equal([['short', 40_000]]);
    expect(await takenOf(opened())).to.deep.equal({ [small]: 60_000, [large]: 0 });
  });

  it('and is too much to be what did not land stands in nobody’s way', async () => {
    const { till, pass } = opened();
    const payments = [await till.pay(), await till.pay()];
    const large = await sendBack(opened(), payments[1]!, 400_000, 'chargeback');
    const small = await sendBack(opened(), payments[0]!, 60_000);
    pass(1);
    till.payOut(payments, { deductionsKobo: null, amountKobo: 2 * 482_500 - 60_000 });
    await till.reconcile();
    expect(await openIn(till)).to.deep.equal([]);
    expect(await takenOf(opened())).to.deep.equal({ [small]: 60_000, [large]: 0 });
  });

  it('and is not taken out yet makes the next forecast smaller', async () => {
    const { till, pass } = opened();
    const before = await till.pay();
    pass(1);
    till.payOut([before]);
    await till.reconcile();
    await till.pay();
    await sendBack(opened(), before, 50_000);
    await sendBack(opened(), before, 20_000, 'chargeback');
    await till.reconcile();
    const [next] = await forecasts(till);
    expect(next).to.include({
      gross_kobo: 500_000,
      fee_kobo: 17_500,
      refunds_kobo: 50_000,
      chargebacks_kobo: 20_000,
      expected_amount_kobo: 412_500,
    });
  });

  it('of a payment that was settled with it is taken for nobody else’s', async () => {
    const { till, pass } = opened();
    const [gone, paid] = [await till.pay(), await till.pay()];
    const netted = await sendBack(opened(), gone, 500_000);
    const owed = await sendBack(opened(), paid, 100_000);
    pass(1);
    till.payOut([paid], { deductionsKobo: 100_000 });
    await till.reconcile();
    expect(await takenOf(opened())).to.deep.equal({ [netted]: 0, [owed]: 100_000 });
    pass(7);
    await till.reconcile();
    expect(await openIn(till), 'it is not missing').to.deep.equal([]);
  });

  it('is owed again when the payout that took it is taken back', async () => {
    const { till, pass } = opened();
    const [one, two] = [await till.pay(), await till.pay()];
    const first = await sendBack(opened(), one, 60_000);
    pass(1);
    const payout = till.payOut([one, two], { deductionsKobo: null, amountKobo: 905_000 });
    await till.reconcile();
    const second = await sendBack(opened(), two, 70_000);
    Object.assign(payout, { state: 'failed' });
    await till.reconcile();
    expect(await takenOf(opened())).to.deep.equal({ [first]: 0, [second]: 0 });
    expect(await openIn(till)).to.deep.equal([]);
  });
});

describe('What went back, where refunds come out of a wallet', () => {
  const opened = withTill('monnify');

  it('leaves payouts as they are, but for chargebacks inside what did not land', async () => {
    const { till, ledger, pass } = opened();
    const payments = [await till.pay(), await till.pay()];
    const refund = await sendBack(opened(), payments[0]!, 100_000);
    const chargeback = await sendBack(opened(), payments[1]!, 200_000, 'chargeback');
    pass(1);
    const payout = till.payOut(payments, { deductionsKobo: null, amountKobo: 765_000 });
    await ledger.tx((tx) => takeNotice(tx, till.desk.account, payout));
    await till.reconcile();
    const amounts = {
      refunds_kobo: 0,
      chargebacks_kobo: 200_000,
      expected_amount_kobo: 765_000,
      landed_amount_kobo: 765_000,
    };
    expect((await paidOut(till))[0]).to.include({ status: 'landed', ...amounts });
    expect(await openIn(till)).to.deep.equal([]);
    expect(await takenOf(opened())).to.deep.equal({ [refund]: 0, [chargeback]: 200_000 });
    await till.pay();
    await till.reconcile();
    expect((await forecasts(till))[0], 'what the wallet paid is no payout’s').to.include({
      refunds_kobo: 0,
      expected_amount_kobo: 482_500,
    });
  });

  it('is found by a payment it holds, where nobody told of the payout', async () => {
    const { till, pass } = opened();
    const taken = await till.pay();
    pass(2);
    till.payOut([taken], { amountKobo: null, deductionsKobo: null });
    await till.reconcile();
    expect((await paidOut(till))[0]).to.include({
      status: 'landed',
      landed_amount_kobo: 482_500,
      transaction_count: 1,
    });
    expect(await till.charge(taken)).to.include({ status: 'settled' });
  });
});
