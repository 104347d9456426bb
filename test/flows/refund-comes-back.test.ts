import { expect } from 'chai';
import { openCharge, stored } from '../support/charges.ts';
import { approvedRefund, eventsOf, refundRow } from '../support/refunds.ts';
import { useStack } from '../support/stack.ts';

describe('A completed refund of Monnify whose money comes back', () => {
  const stack = useStack();

  it('COMPLETED, then FAILED_REFUND: it failed, the charge is not refunded, and a person sees it', async () => {
    const charge = await openCharge(stack, { provider: 'provider_c', amount_kobo: 500_000 });
    await stack.control.pay(charge.reference, { channel: 'bank_transfer' });
    await stack.settle();
    const refund = await approvedRefund(stack, charge);
    await stack.settle();
    await stack.pass(2_000);
    expect(await refundRow(stack, refund)).to.include({ status: 'completed' });
    expect(await stored(stack, charge)).to.include({ status: 'refunded', refunded_kobo: 500_000 });

    stack.clock.advance(60_000);
    await stack.control.failCompletedRefund(charge.reference);
    await stack.settle();
    expect(await refundRow(stack, refund)).to.include({ status: 'failed', completed_at: null });
    const events = (await eventsOf(stack, refund)).map(({ type }) => type);
    expect(events).to.have.members(['refund.completed', 'refund.failed']);
    expect(await stored(stack, charge)).to.deep.include({
      ...{ status: 'succeeded', refunded_kobo: 0, review: ['refund_reversed'] },
    });
    const { data } = (await stack.api.get('/reviews?status=open')).json;
    expect(data).to.have.length(1);
    const { reference } = charge;
    expect(data[0]).to.include({ reference, reason: 'refund_reversed', amount_kobo: 500_000 });
    expect(data[0].detail).to.match(/^₦5,000.00 came back after the refund was completed: /);
  });
});
