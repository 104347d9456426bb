import { expect } from 'chai';
import { type Ledger, openLedger } from '../ledger.ts';
import { type MoneyBack, moneyBack, shownRefund } from './refund-fixture.ts';

describe('A decision on a payment of which some went back before', () => {
  let ledger: Ledger;
  before(async () => {
    ledger = await openLedger();
  });
  after(() => ledger[Symbol.asyncDispose]());

  const sendAll = async (its: MoneyBack) => {
    for (const { id, status } of await its.refunds()) if (status === 'approved') await its.work(id);
  };
  const openReviews = (its: MoneyBack) =>
    ledger.rows(
      `select reason from reviews where charge_id = $1 and status = 'open'`,
      its.chargeId,
    );

  it('returns what came on top since the excess went back', async () => {
    const its = await moneyBack(ledger);
    await its.pay(700_000);
    await its.decide('returned');
    await sendAll(its);
    await its.pay(900_000);
    await its.decide('returned');
    await sendAll(its);
    expect(its.sent).to.deep.equal([200_000, 200_000]);
    expect(await ledger.charge(its.chargeId)).to.include({ status: 'succeeded', refunded_kobo: 0 });
  });

  it('returns what came on top since a payment that was too little went back', async () => {
    const its = await moneyBack(ledger);
    await its.pay(300_000);
    await its.decide('returned');
    await its.pay(500_000);
    await its.decide('returned');
    await sendAll(its);
    expect(its.sent).to.deep.equal([300_000, 200_000]);
  });

  it('returns what came on top since a payment that was accepted, though too little, was refunded in full', async () => {
    const its = await moneyBack(ledger);
    await its.pay(300_000);
    await its.decide('accepted');
    await its.work(await its.refund());
    await its.pay(500_000);
    await its.decide('returned');
    await sendAll(its);
    expect(its.sent).to.deep.equal([300_000, 200_000]);
    expect(await ledger.charge(its.chargeId)).to.include({
      status: 'refunded',
      refunded_kobo: 300_000,
    });
  });

  it('returns no more than what the provider has not sent back on its own', async () => {
    const its = await moneyBack(ledger);
    await its.pay(300_000);
    its.shown.push(
      shownRefund({ providerRefundId: `elsewhere-${its.chargeId}`, amountKobo: 100_000 }),
    );
    await its.takeIn();
    await its.decide('returned');
    await sendAll(its);
    expect(its.sent).to.deep.equal([200_000]);
    expect(await openReviews(its)).to.deep.equal([]);
  });

  it('accepts it with what went back of it', async () => {
    const its = await moneyBack(ledger);
    await its.pay(300_000);
    its.shown.push(
      shownRefund({ providerRefundId: `elsewhere-${its.chargeId}`, amountKobo: 100_000 }),
    );
    await its.takeIn();
    await its.decide('accepted');
    expect(await ledger.charge(its.chargeId)).to.include({
      status: 'succeeded',
      refunded_kobo: 100_000,
    });
  });

  it('is not needed where the rest comes, and what went back is known to the charge', async () => {
    const its = await moneyBack(ledger);
    await its.pay(300_000);
    its.shown.push(
      shownRefund({ providerRefundId: `elsewhere-${its.chargeId}`, amountKobo: 100_000 }),
    );
    await its.takeIn();
    await its.pay(500_000);
    expect(await ledger.charge(its.chargeId)).to.include({
      status: 'succeeded',
      refunded_kobo: 100_000,
    });
  });
});
