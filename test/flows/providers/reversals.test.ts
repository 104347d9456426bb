import { expect } from 'chai';
import type { Checkout } from '../../support/charges.ts';
import { DAY, SECOND } from '../../support/clock.ts';
import { approvedRefund } from '../../support/refunds.ts';
import { describeForEachProvider } from './fixture.ts';

describeForEachProvider('A payment that its provider sent back by itself', (fixture) => {
  const { stack, paid, read, pass, refunds, expectTransaction, expectWebhooks } = fixture;

  const reverse = async ({ reference }: Checkout) => {
    await stack.control.reverse(reference);
    await pass(90 * SECOND);
  };
  const expectRefunded = async (charge: Checkout, ...amountsKobo: number[]) => {
    await expectTransaction(charge, { status: 'refunded', refunded_kobo: 100_000 });
    expect(await refunds(charge)).to.have.members(
      amountsKobo.map((kobo) => `provider completed ${kobo}`),
    );
  };

  it('refunded in its dashboard, is known without a notification before another refund is sent: together they never exceed the payment', async () => {
    const charge = await paid();
    const counted = await fixture.counting();
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
    await fixture.expectStored(charge, { status: 'succeeded', refunded_kobo: 60_000 });
    expect(await counted(), 'the dashboard’s own').to.include({ refunds: 1 });
    await approvedRefund(stack, charge); // of what is left
    await stack.settle();
    for (let step = 0; step < 2; step++) await fixture.pass(3 * SECOND);
    await fixture.expectStored(charge, { status: 'refunded', refunded_kobo: 100_000 });
    expect(await counted()).to.include({ refunds: 2 });
  });

  it('first heard of when it is reversed: the charge runs through succeeded to refunded, refund.completed is sent and charge.succeeded is not', async () => {
    const charge = await fixture.open();
    await stack.control.pay(charge.reference, { channel: 'bank_transfer', notify: false });
    await reverse(charge);
    await expectRefunded(charge, 100_000);
    expectWebhooks(charge, 'refund.completed');
    expect((await fixture.history(charge)).slice(2)).to.deep.equal([
      ...['charge.succeeded', 'refund.completed', 'charge.refunded'],
    ]);
  });

  it('paid, and reversed later: what nothing else explains is a refund of origin provider, once', async () => {
    const charge = await paid();
    await reverse(charge);
    await expectRefunded(charge, 100_000);
    await stack.control.faults({ duplicate_notifications: true });
    await read(charge);
    await pass(DAY);
    await expectRefunded(charge, 100_000);
    expectWebhooks(charge, 'charge.succeeded', 'refund.completed');
    await fixture.expectStored(charge, { review: [] });
  });

  it('paid, ₦300 refunded in the provider’s dashboard, then reversed: the other ₦700 are recorded', async () => {
    const charge = await paid();
    await stack.control.refundNow(charge.reference, 30_000);
    await pass(90 * SECOND);
    await reverse(charge);
    await expectRefunded(charge, 30_000, 70_000);
  });

  if (fixture.name !== 'flutterwave') return;

  it('paid twice, and the second payment is reversed: the charge keeps the first, and nothing is sent back', async () => {
    const charge = await paid();
    const counted = await fixture.counting();
    await stack.control.pay(charge.reference, { again: true, notify: false });
    await reverse(charge);
    await expectTransaction(charge, { refunded_kobo: 0 });
    expect(await counted()).to.include({ refunds: 0 });
    expect(await refunds(charge)).to.deep.equal(['provider completed 100000']);
    expectWebhooks(charge, 'charge.succeeded');
  });
});
