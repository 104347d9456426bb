import { expect } from 'chai';
import { type Checkout, openCharge, stored } from '../support/charges.ts';
import { approvedRefund } from '../support/refunds.ts';
import { expectNoLeaks, type Stack, startStack } from '../support/stack.ts';

const monnify = { provider: 'provider_c' };

describe('A Monnify fee that the payer bears', () => {
  let stack: Stack;
  before(async () => {
    stack = await startStack();
  });
  after(() => stack[Symbol.asyncDispose]());
  afterEach(() => expectNoLeaks(stack));

  const reviewsOf = ({ id }: Record<string, any>) =>
    stack.context.db.query<Record<string, unknown>>(
      'select reason, amount_kobo from reviews where charge_id = $1',
      [id],
    );
  /** Notified of a payment by transfer. */
  const pay = async (
    charge: Checkout,
    options: { amount_kobo?: number; payer_fee_kobo: number },
  ) => {
    await stack.control.pay(charge.reference, { channel: 'bank_transfer', ...options });
    await stack.settle();
    return stored(stack, charge);
  };

  it('₦203.20 is paid of a charge of ₦200.00, ₦200.00 are paid out: the charge succeeded, no review', async () => {
    const charge = await openCharge(stack, { ...monnify, amount_kobo: 20_000 });
    const row = await pay(charge, { payer_fee_kobo: 320 });
    expect(row).to.deep.include({ status: 'succeeded', fee_kobo: 0, review: [] });
    expect(row.captures).to.have.length(1);
    expect(row.captures[0]).to.include({
      ...{ status: 'applied', amount_kobo: 20_000, payer_fee_kobo: 320, fee_kobo: 0 },
    });
    expect(await reviewsOf(row)).to.deep.equal([]);
    expect(row.events.map(({ type }) => type)).to.deep.equal(['charge.succeeded']);
    const received = stack.receiver.received.map(({ body }) => JSON.parse(body));
    const webhook = received.find(({ data }) => data.id === row.id);
    expect(webhook.data).to.include({ amount_kobo: 20_000, fee_kobo: 0, net_kobo: 20_000 });
  });

  it('is not refunded: a refund is of the charge’s amount', async () => {
    const charge = await openCharge(stack, { ...monnify, amount_kobo: 500_000 });
    await pay(charge, { payer_fee_kobo: 7_600 });
    const refund = await approvedRefund(stack, charge);
    expect(refund.amount_kobo).to.equal(500_000);
    await stack.settle();
    stack.clock.advance(2_000);
    await stack.sandbox.tick();
    await stack.settle();
    const { json } = await stack.api.get(`/refunds/${refund.id}`);
    expect(json).to.include({ status: 'completed', amount_kobo: 500_000 });
    expect(await stored(stack, charge)).to.deep.include({
      ...{ status: 'refunded', refunded_kobo: 500_000, review: [] },
    });
  });

  it('is no part of an overpayment, which is found', async () => {
    const charge = await openCharge(stack, { ...monnify, amount_kobo: 500_000 });
    const row = await pay(charge, { amount_kobo: 600_000, payer_fee_kobo: 7_600 });
    expect(row).to.deep.include({ status: 'succeeded', review: ['overpaid'] });
    expect(await reviewsOf(row)).to.deep.equal([{ reason: 'overpaid', amount_kobo: 100_000 }]);
  });
});
