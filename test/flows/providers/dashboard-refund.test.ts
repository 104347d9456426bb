import { expect } from 'chai';
import { stored } from '../../support/charges.ts';
import { SECOND } from '../../support/clock.ts';
import { approvedRefund, refundsOf } from '../../support/refunds.ts';
import { describeForEachProvider } from './scene.ts';

describeForEachProvider('A refund made in the provider’s own dashboard', (scene) => {
  if (scene.name !== 'flutterwave') {
    it('is taken in when the provider tells of it', async () => {
      const charge = await scene.paid();
      await scene.stack.control.refundNow(charge.reference, 60_000);
      await scene.pass(3 * SECOND);
      const [adopted, ...others] = await refundsOf(scene.stack, charge);
      expect(others).to.deep.equal([]);
      expect(adopted).to.include({ origin: 'provider', status: 'completed', amount_kobo: 60_000 });
      expect((await scene.read(charge)).transaction).to.include({
        status: 'succeeded',
        refunded_kobo: 60_000,
      });
      expect(scene.told(charge)).to.deep.equal([
        'charge.succeeded succeeded',
        'refund.completed completed',
      ]);
      expect(await scene.history(charge)).to.include('refund.completed');
    });
  }

  it('that nobody told of is seen before another is sent: together never more than the payment', async () => {
    const charge = await scene.paid();
    const counted = await scene.counting();
    await scene.faults({ drop_notifications: true });
    await scene.stack.control.refundNow(charge.reference, 60_000);
    const refund = await approvedRefund(scene.stack, charge, 50_000);
    await scene.stack.settle();
    expect((await scene.stack.api.get(`/refunds/${refund.id}`)).json).to.include({
      status: 'failed',
      failure_message: 'Only ₦400.00 of the payment is left; the rest has gone back already.',
    });
    expect(
      (await refundsOf(scene.stack, charge)).map(({ origin, status }) => `${origin} ${status}`),
    ).to.have.members(['merchant failed', 'provider completed']);
    expect(await stored(scene.stack, charge)).to.include({
      status: 'succeeded',
      refunded_kobo: 60_000,
    });
    expect(await counted(), 'the dashboard’s own').to.include({ refunds: 1 });
    await approvedRefund(scene.stack, charge);
    await scene.stack.settle();
    for (let step = 0; step < 2; step++) await scene.pass(3 * SECOND);
    expect(await stored(scene.stack, charge), 'what is left').to.include({
      status: 'refunded',
      refunded_kobo: 100_000,
    });
    expect(await counted()).to.include({ refunds: 2 });
  });
});
