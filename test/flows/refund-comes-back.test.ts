import { expect } from 'chai';
import { type Checkout, openCharge, stored } from '../support/charges.ts';
import { approvedRefund, refundRow } from '../support/refunds.ts';
import { useStack } from '../support/stack.ts';

describe('A completed refund of Monnify whose money comes back', () => {
  const stack = useStack();

  const paid = async (): Promise<Checkout> => {
    const charge = await openCharge(stack, { provider: 'provider_c', amount_kobo: 500_000 });
    await stack.control.pay(charge.reference, { channel: 'bank_transfer' });
    await stack.settle();
    return charge;
  };
  const completed = async (charge: Checkout, amountKobo?: number) => {
    const refund = await approvedRefund(stack, charge, amountKobo);
    await stack.settle();
    await stack.pass(2_000);
    expect(await refundRow(stack, refund)).to.include({ status: 'completed' });
    return refund;
  };
  const eventsOf = async ({ id }: { id: string }) =>
    (
      await stack.context.db.query<{ type: string }>(
        'select type from events where subject_id = $1 order by id',
        [id],
      )
    ).map(({ type }) => type);
  const reviewsOf = async (charge: Checkout) =>
    (await stack.api.get(`/reviews?status=open`)).json.data.filter(
      ({ reference }: { reference: string }) => reference === charge.reference,
    );

  it('COMPLETED, then FAILED_REFUND: it failed, the charge is not refunded, and a person sees it', async () => {
    const charge = await paid();
    const refund = await completed(charge);
    expect(await stored(stack, charge)).to.include({ status: 'refunded', refunded_kobo: 500_000 });
    stack.clock.advance(60_000);
    await stack.control.failCompletedRefund(charge.reference);
    await stack.settle();
    expect(await refundRow(stack, refund)).to.include({ status: 'failed', completed_at: null });
    expect(await eventsOf(refund)).to.deep.equal(['refund.completed', 'refund.failed']);
    expect(await stored(stack, charge)).to.deep.include({
      ...{ status: 'succeeded', refunded_kobo: 0, review: ['refund_reversed'] },
    });
    const [review, ...more] = await reviewsOf(charge);
    expect(more).to.deep.equal([]);
    expect(review).to.include({ reason: 'refund_reversed', amount_kobo: 500_000 });
    expect(review.detail).to.match(/^₦5,000.00 came back after the refund was completed: /);
  });
});
