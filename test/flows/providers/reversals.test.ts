import { expect } from 'chai';
import { type Checkout, stored } from '../../support/charges.ts';
import { DAY, SECOND } from '../../support/clock.ts';
import { describeForEachProvider } from './fixture.ts';

describeForEachProvider('A payment that its provider reversed by itself', (fixture) => {
  const reversed = async (charge: Checkout, amountKobo = 100_000) => {
    expect((await fixture.read(charge)).transaction).to.include({
      status: 'refunded',
      refunded_kobo: amountKobo,
    });
    const refunds = await fixture.refunds(charge);
    expect(
      refunds.map(({ origin, status, amount_kobo: kobo }) => [origin, status, kobo]),
    ).to.deep.equal([['provider', 'completed', amountKobo]]);
  };

  it('first heard of when it is reversed: the charge runs through succeeded to refunded, refund.completed is sent and charge.succeeded is not', async () => {
    const charge = await fixture.open();
    await fixture.stack.control.pay(charge.reference, { channel: 'bank_transfer', notify: false });
    await fixture.stack.control.reverse(charge.reference);
    await fixture.pass(90 * SECOND);
    await reversed(charge);
    expect(fixture.webhooksOf(charge)).to.deep.equal(['refund.completed completed']);
    expect((await fixture.history(charge)).slice(2)).to.deep.equal([
      'charge.succeeded',
      'refund.completed',
      'charge.refunded',
    ]);
  });

  it('paid, and reversed later: what nothing else explains is a refund of origin provider, once', async () => {
    const charge = await fixture.paid();
    await fixture.stack.control.reverse(charge.reference);
    await fixture.pass(90 * SECOND);
    await reversed(charge);
    await fixture.stack.control.faults({ duplicate_notifications: true });
    await fixture.read(charge);
    await fixture.pass(DAY);
    await reversed(charge);
    expect(fixture.webhooksOf(charge)).to.deep.equal([
      'charge.succeeded succeeded',
      'refund.completed completed',
    ]);
    expect((await stored(fixture.stack, charge)).review).to.deep.equal([]);
  });

  it('paid, ₦300 refunded in the provider’s dashboard, then reversed: the other ₦700 are recorded', async () => {
    const charge = await fixture.paid();
    await fixture.stack.control.refundNow(charge.reference, 30_000);
    await fixture.pass(90 * SECOND);
    await fixture.stack.control.reverse(charge.reference);
    await fixture.pass(90 * SECOND);
    const refunds = await fixture.refunds(charge);
    expect(
      refunds.map(({ origin, status, amount_kobo: kobo }) => [origin, status, kobo]),
    ).to.have.deep.members([
      ['provider', 'completed', 30_000],
      ['provider', 'completed', 70_000],
    ]);
    expect((await fixture.read(charge)).transaction).to.include({
      status: 'refunded',
      refunded_kobo: 100_000,
    });
  });

  if (fixture.name === 'flutterwave') {
    it('paid twice, and the second payment is reversed: the charge keeps the first, and nothing is sent back', async () => {
      const charge = await fixture.paid();
      const counted = await fixture.counting();
      await fixture.stack.control.pay(charge.reference, { again: true, notify: false });
      await fixture.stack.control.reverse(charge.reference);
      await fixture.pass(90 * SECOND);
      expect((await fixture.read(charge)).transaction).to.include({ refunded_kobo: 0 });
      expect(await counted()).to.include({ refunds: 0 });
      const refunds = await fixture.refunds(charge);
      expect(refunds.map(({ origin, status }) => `${origin} ${status}`)).to.deep.equal([
        'provider completed',
      ]);
      expect(fixture.webhooksOf(charge)).to.deep.equal(['charge.succeeded succeeded']);
    });
  }
});
