import { expect } from 'chai';
import { type Checkout, openCharge, stored } from '../support/charges.ts';
import { useStack } from '../support/stack.ts';

const monnify = { provider: 'provider_c' };

describe('A Monnify fee that the payer bears', () => {
  const stack = useStack();

  const reviewsOf = ({ id }: Record<string, any>) =>
    stack.context.db.query<Record<string, unknown>>(
      'select reason, amount_kobo from reviews where charge_id = $1',
      [id],
    );
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
});
