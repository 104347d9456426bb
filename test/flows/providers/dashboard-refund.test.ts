import { expect } from 'chai';
import { stored } from '../../support/charges.ts';
import { SECOND } from '../../support/clock.ts';
import { approvedRefund, refundsOf } from '../../support/refunds.ts';
import { describeForEachProvider } from './fixture.ts';

describeForEachProvider('A refund made in the provider’s own dashboard', (fixture) => {
  if (fixture.name !== 'flutterwave') {
    it('is recorded when the provider notifies us of it', async () => {
      const charge = await fixture.paid();
      await fixture.stack.control.refundNow(charge.reference, 60_000);
      await fixture.pass(3 * SECOND);
      const [adopted, ...others] = await refundsOf(fixture.stack, charge);
      expect(others).to.deep.equal([]);
      expect(adopted).to.include({ origin: 'provider', status: 'completed', amount_kobo: 60_000 });
      expect((await fixture.read(charge)).transaction).to.include({
        status: 'succeeded',
        refunded_kobo: 60_000,
      });
      expect(fixture.webhooksOf(charge)).to.deep.equal([
        'charge.succeeded succeeded',
        'refund.completed completed',
      ]);
      expect(await fixture.history(charge)).to.include('refund.completed');
    });
  }

  it('is found without a notification before another refund is sent: together they never exceed the payment', async () => {
    const charge = await fixture.paid();
    const counted = await fixture.counting();
    await fixture.faults({ drop_notifications: true });
    await fixture.stack.control.refundNow(charge.reference, 60_000);
    const refund = await approvedRefund(fixture.stack, charge, 50_000);
    await fixture.stack.settle();
    expect((await fixture.stack.api.get(`/refunds/${refund.id}`)).json).to.include({
      status: 'failed',
      failure_message: 'Only ₦400.00 of the payment is left; the rest has gone back already.',
    });
    expect(
      (await refundsOf(fixture.stack, charge)).map(({ origin, status }) => `${origin} ${status}`),
    ).to.have.members(['merchant failed', 'provider completed']);
    expect(await stored(fixture.stack, charge)).to.include({
      status: 'succeeded',
      refunded_kobo: 60_000,
    });
    expect(await counted(), 'the dashboard’s own').to.include({ refunds: 1 });
    await approvedRefund(fixture.stack, charge);
    await fixture.stack.settle();
    for (let step = 0; step < 2; step++) await fixture.pass(3 * SECOND);
    expect(await stored(fixture.stack, charge), 'what is left').to.include({
      status: 'refunded',
      refunded_kobo: 100_000,
    });
    expect(await counted()).to.include({ refunds: 2 });
  });
});
