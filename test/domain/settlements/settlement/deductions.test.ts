import { expect } from 'chai';
import { enterDispute } from '../../../../domain/payments/commands/enter-dispute.ts';
import { recordSettlementNotification } from '../../../../domain/settlements/settlement/record-statement.ts';
import type { FixturePayment } from './fixture.ts';
import { deductedOf, forecasts, paidOut, sendBack, withSettlementFixture } from './with-fixture.ts';

describe('What a settlement took out', () => {
  const { ledger, fixture, paid, passDays, reconciled, hasPaidOut } = withSettlementFixture();
  const backOf = (payment: FixturePayment, kobo: number) => sendBack(ledger, payment, kobo);
  const lostOf = (payment: FixturePayment, kobo: number) =>
    sendBack(ledger, payment, kobo, 'chargeback');

  it('is assigned to the oldest first, a part at a time', async () => {
    const payments = [await fixture.pay(), await fixture.pay()] as const;
    const older = await backOf(payments[0], 300_000);
    passDays(1);
    const newer = await lostOf(payments[1], 200_000);
    fixture.payOut([payments[0]], { deductionsKobo: 250_000 });
    await fixture.reconcile();
    expect(await deductedOf(ledger)).to.deep.equal({ [older]: 250_000, [newer]: 0 });
    fixture.payOut([payments[1]], { deductionsKobo: 150_000 });
    await reconciled();
    expect(await deductedOf(ledger)).to.deep.equal({ [older]: 300_000, [newer]: 100_000 });
    const [first, second] = await paidOut(fixture);
    expect(first).to.include({ refunds_kobo: 250_000, chargebacks_kobo: 0 });
    expect(second).to.include({ refunds_kobo: 50_000, chargebacks_kobo: 100_000 });
  });

  it('is explained by no refund and no dispute of a payment that came after it landed', async () => {
    const [payment] = await paid({});
    fixture.payOut([payment], { deductionsKobo: 300_000 });
    passDays(1);
    const asked = await backOf(payment, 100_000);
    const lost = await lostOf(await fixture.pay(), 200_000);
    await reconciled(['deduction_mismatch', 300_000]);
    expect(await deductedOf(ledger)).to.deep.equal({ [asked]: 0, [lost]: 0 });
  });

  it('is explained by a refund made at the provider, and by a dispute, that are recorded after it landed', async () => {
    const [payment] = await paid({});
    fixture.payOut([payment], { deductionsKobo: 300_000 });
    passDays(1);
    const made = await backOf(payment, 100_000);
    await ledger.rows(`update refunds set origin = 'provider'`);
    const lost = await lostOf(payment, 200_000);
    await reconciled();
    expect(await deductedOf(ledger)).to.deep.equal({ [made]: 100_000, [lost]: 200_000 });
  });

  it('is explained by a later chargeback only where all of it fits', async () => {
    const [one, other] = await paid({}, {});
    fixture.payOut([one, other], { deductionsKobo: 12_300 });
    await fixture.reconcile();
    passDays(2);
    const lose = async (payment: FixturePayment, amountKobo: number | null) => {
      const chargeNumber = Number((await fixture.charge(payment)).number);
      const entered = {
        chargeNumber,
        state: 'lost',
        amountKobo,
        note: null,
        actor: 'operator',
      } as const;
      await ledger.tx((tx) => enterDispute(tx, entered));
    };
    await lose(one, null);
    await reconciled(['deduction_mismatch', 12_300]);
    await ledger.rows('update disputes set deducted_kobo = 500000');
    await lose(other, 12_300);
    await reconciled();
    await hasPaidOut({ chargebacks_kobo: 12_300 });
  });

  it('is assigned anew when a settlement is stated anew, and then explains another', async () => {
    const payments = [await fixture.pay(), await fixture.pay()] as const;
    await backOf(payments[0], 100_000);
    passDays(1);
    const first = fixture.payOut([payments[0]], { deductionsKobo: 100_000 });
    fixture.payOut([payments[1]], { deductionsKobo: 100_000 });
    await reconciled(['deduction_mismatch', 100_000]);
    Object.assign(first, { deductionsKobo: 0, amountKobo: 482_500 });
    await reconciled(); // in one run
    const refunds = (await paidOut(fixture)).map(({ refunds_kobo }) => refunds_kobo);
    expect(refunds).to.deep.equal([0, 100_000]);
  });

  it('where it is not stated is what did not land, explained by whole refunds only, smaller ones where a larger does not fit', async () => {
    const payments = [await fixture.pay(), await fixture.pay(), await fixture.pay()] as const;
    const large = await lostOf(payments[1], 400_000);
    const small = await backOf(payments[0], 60_000);
    const middle = await backOf(payments[2], 90_000);
    passDays(1);
    fixture.payOut([payments[0]], { deductionsKobo: null, amountKobo: 482_500 - 100_000 });
    await reconciled(['short', 40_000]);
    const deducted = { [large]: 0, [small]: 60_000, [middle]: 0 };
    expect(await deductedOf(ledger)).to.deep.equal(deducted);
  });

  it('later is in the next forecast', async () => {
    const [before] = await paid({});
    fixture.payOut([before]);
    await fixture.reconcile();
    await fixture.pay();
    await backOf(before, 50_000);
    await lostOf(before, 20_000);
    await fixture.reconcile();
    expect((await forecasts(fixture))[0]).to.include({
      ...{ gross_kobo: 500_000, fee_kobo: 17_500, refunds_kobo: 50_000 },
      ...{ chargebacks_kobo: 20_000, expected_amount_kobo: 412_500 },
    });
  });

  it('is not explained by a refund that was deducted from the payment itself', async () => {
    const [gone, kept] = [await fixture.pay(), await fixture.pay()];
    const netted = await backOf(gone, 500_000);
    const owed = await backOf(kept, 100_000);
    passDays(1);
    fixture.payOut([kept], { deductionsKobo: 100_000 });
    await fixture.reconcile();
    expect(await deductedOf(ledger)).to.deep.equal({ [netted]: 0, [owed]: 100_000 });
    passDays(7);
    await reconciled(); // it is not missing
  });

  it('is owed again when the settlement fails', async () => {
    const payments = [await fixture.pay(), await fixture.pay()] as const;
    const first = await backOf(payments[0], 60_000);
    passDays(1);
    const payout = fixture.payOut([...payments], { deductionsKobo: null, amountKobo: 905_000 });
    await fixture.reconcile();
    const second = await backOf(payments[1], 70_000);
    payout.state = 'failed';
    await reconciled();
    expect(await deductedOf(ledger)).to.deep.equal({ [first]: 0, [second]: 0 });
  });
});

describe('A settlement of a provider that takes refunds out of a wallet', () => {
  const { ledger, fixture, passDays, reconciled, hasPaidOut } = withSettlementFixture('monnify');

  it('is explained by chargebacks, not by refunds', async () => {
    const payments = [await fixture.pay(), await fixture.pay()] as const;
    const refund = await sendBack(ledger, payments[0], 100_000);
    const chargeback = await sendBack(ledger, payments[1], 200_000, 'chargeback');
    passDays(1);
    const stated = { deductionsKobo: null, amountKobo: 765_000 };
    const payout = fixture.payOut([...payments], stated);
    await ledger.tx((tx) => recordSettlementNotification(tx, fixture.context.account, payout));
    await reconciled();
    await hasPaidOut({
      ...{ status: 'landed', refunds_kobo: 0, chargebacks_kobo: 200_000 },
      ...{ expected_amount_kobo: 765_000, landed_amount_kobo: 765_000 },
    });
    expect(await deductedOf(ledger)).to.deep.equal({ [refund]: 0, [chargeback]: 200_000 });
    await fixture.pay();
    await fixture.reconcile();
    expect((await forecasts(fixture))[0], 'what the wallet paid is no payout’s').to.include({
      ...{ refunds_kobo: 0, expected_amount_kobo: 482_500 },
    });
  });
});
