import { expect } from 'chai';
import { type Checkout, stored } from '../../support/charges.ts';
import { HOUR, SECOND } from '../../support/clock.ts';
import { approvedRefund, refundsOf } from '../../support/refunds.ts';
import { describeForEachProvider } from './scene.ts';

describeForEachProvider('A refund', (scene) => {
  /** A refund an Owner approved, as far as it got in some seconds. */
  const refund = async (charge: Checkout, amountKobo?: number) => {
    const { id } = await approvedRefund(scene.stack, charge, amountKobo);
    await scene.stack.settle();
    for (let step = 0; step < 2; step++) await scene.pass(3 * SECOND);
    return (await scene.stack.api.get(`/refunds/${id}`)).json;
  };

  it('of all goes back whole, told once', async () => {
    const charge = await scene.paid();
    const counted = await scene.counting();
    expect(await refund(charge)).to.include({ status: 'completed', amount_kobo: 100_000, origin: 'merchant', attention: null });
    expect((await scene.read(charge)).transaction).to.include({ status: 'refunded', refunded_kobo: 100_000 });
    expect(scene.told(charge)).to.deep.equal(['charge.succeeded succeeded', 'refund.completed completed']);
    expect((await scene.history(charge)).slice(3)).to.deep.equal([
      ...['refund.requested', 'refund.approved', 'refund.processing', 'refund.accepted', 'refund.completed', 'charge.refunded'],
    ]);
    expect(await counted()).to.include({ refunds: 1, creates: 0 });
  });

  it('of a part leaves the rest; the last part makes the charge refunded', async () => {
    const charge = await scene.paid();
    const counted = await scene.counting();
    expect(await refund(charge, 30_000)).to.include({ status: 'completed', amount_kobo: 30_000 });
    expect((await scene.read(charge)).transaction).to.include({ status: 'succeeded', refunded_kobo: 30_000 });
    expect(await refund(charge)).to.include({ status: 'completed', amount_kobo: 70_000 });
    expect((await scene.read(charge)).transaction).to.include({ status: 'refunded', refunded_kobo: 100_000 });
    expect((await refundsOf(scene.stack, charge)).map(({ amount_kobo: kobo }) => kobo)).to.deep.equal([30_000, 70_000]);
    expect(await counted()).to.include({ refunds: 2 });
  });

  it('that the provider fails frees its money, says why, and may be asked again', async () => {
    const charge = await scene.paid();
    const counted = await scene.counting();
    await scene.stack.control.planRefund(charge.reference, 'failed');
    const failed = await refund(charge);
    expect(failed.status).to.equal('failed');
    expect(failed.failure_message).to.match(/^[A-Z][a-z].+/);
    expect((await scene.read(charge)).transaction).to.include({ status: 'succeeded', refunded_kobo: 0 });
    expect(await refund(charge)).to.include({ status: 'completed' });
    expect(scene.told(charge).slice(1)).to.deep.equal(['refund.failed failed', 'refund.completed completed']);
    expect(await counted()).to.include({ refunds: 2 });
  });

  it('that stands still at the provider stays on its way, and is told of by nobody', async () => {
    const charge = await scene.paid();
    await scene.stack.control.planRefund(charge.reference, 'needs-attention');
    const { id, status, attention } = await refund(charge);
    expect(status).to.equal('processing');
    // The others have no word for it: theirs is one that is not done yet.
    if (scene.name === 'paystack') expect(attention.reason).to.match(/^[A-Z][a-z].+/);
    else expect(attention).to.equal(null);
    await scene.pass(21 * 24 * HOUR);
    const { json } = await scene.stack.api.get(`/refunds/${id}`);
    expect(json.status).to.equal('processing');
    expect(json.attention.reason, 'after 20 days').to.match(/^[A-Z][a-z].+/);
    expect(scene.told(charge)).to.deep.equal(['charge.succeeded succeeded']);
  });

  it('of a card payment goes back too, or fails in plain words where the provider has none', async () => {
    const charge = await scene.paid({ channel: 'card' });
    const counted = await scene.counting();
    const asked = await refund(charge);
    if (scene.name !== 'monnify') {
      expect(asked).to.include({ status: 'completed' });
      return;
    }
    const words = 'Monnify does not refund this payment: it refunds bank transfers only.';
    expect(asked).to.include({ status: 'failed', failure_message: words });
    expect((await stored(scene.stack, charge)).status).to.equal('succeeded');
    expect(scene.told(charge)).to.deep.equal(['charge.succeeded succeeded', 'refund.failed failed']);
    expect(await counted()).to.include({ refunds: 0 });
  });
});
