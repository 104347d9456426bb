import { expect } from 'chai';
import { stored } from '../../support/charges.ts';
import { SECOND } from '../../support/clock.ts';
import { approvedRefund, refundsOf } from '../../support/refunds.ts';
import { describeForEachProvider } from './fixture.ts';

describeForEachProvider('A refund made in the provider’s own dashboard', (fixture) => {
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
