import { expect } from 'chai';
import { SECOND } from '../../support/clock.ts';
import { approvedRefund } from '../../support/refunds.ts';
import { describeForEachProvider } from './fixture.ts';

describeForEachProvider('A refund made in the provider’s own dashboard', (fixture) => {
  const { stack, paid, counting, expectStored, refunds } = fixture;

  it('is found without a notification before another refund is sent: together they never exceed the payment', async () => {
    const charge = await paid();
    const counted = await counting();
    await fixture.faults({ drop_notifications: true });
    await stack.control.refundNow(charge.reference, 60_000);
    const refund = await approvedRefund(stack, charge, 50_000);
    await stack.settle();
    expect((await stack.api.get(`/refunds/${refund.id}`)).json).to.include({
      status: 'failed',
      failure_message: 'Only ₦400.00 of the payment is left; the rest has gone back already.',
    });
    expect(await refunds(charge)).to.have.members([
      'merchant failed 50000',
      'provider completed 60000',
    ]);
    await expectStored(charge, { status: 'succeeded', refunded_kobo: 60_000 });
    expect(await counted(), 'the dashboard’s own').to.include({ refunds: 1 });
    await approvedRefund(stack, charge); // of what is left
    await stack.settle();
    for (let step = 0; step < 2; step++) await fixture.pass(3 * SECOND);
    await expectStored(charge, { status: 'refunded', refunded_kobo: 100_000 });
    expect(await counted()).to.include({ refunds: 2 });
  });
});
