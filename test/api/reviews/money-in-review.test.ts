import { expect } from 'chai';
import { stored } from '../../support/charges.ts';
import { expectRefused } from '../../support/contract.ts';
import { newLink, openedBy, readLink } from '../../support/payment-links.ts';
import { reviewFixture } from './fixture.ts';

describe('A payment in review', () => {
  const fixture = reviewFixture();
  const { stack } = fixture;

  it('of too little, accepted, pays the charge: one event, and only that much is refundable', async () => {
    const charge = await fixture.underpaid();
    expect((await fixture.post('accept', await fixture.reviewOf(charge))).status).to.equal(200);
    const {
      status,
      amount_kobo: amountKobo,
      review,
      events,
      captures,
    } = await stored(stack, charge);
    expect({ status, amountKobo, review }).to.deep.equal({
      status: 'succeeded',
      amountKobo: 100_000,
      review: [],
    });
    expect(captures.map(({ status }) => status)).to.deep.equal(['applied']);
    expect(events.map(({ type }) => type)).to.deep.equal(['charge.succeeded']);
    const tooMuch = { reference: charge.reference, amount_kobo: 60_001, reason: 'x' };
    expectRefused(await stack.api.post('/refunds', tooMuch), 'validation_failed', ['amount_kobo']);
    const { json } = await stack.api.post('/refunds', {
      reference: charge.reference,
      reason: 'All of it',
    });
    expect(json.amount_kobo).to.equal(60_000);
    await stack.api.get(`/charges/${charge.reference}`);
    expect((await stored(stack, charge)).events, 'asked again').to.have.length(1);
  });

  it('of too little, accepted after another payment paid the charge, is a duplicate', async () => {
    const charge = await fixture.underpaid();
    const held = await fixture.paymentOf(charge);
    await fixture.record(charge, {
      ...held,
      providerPaymentId: `whole-${charge.reference}`,
      amountKobo: 100_000,
    });
    expect((await fixture.post('accept', await fixture.reviewOf(charge))).status).to.equal(200);
    const after = await stored(stack, charge);
    expect(after).to.deep.include({ status: 'succeeded', review: [] });
    expect(after.captures.map(({ status }) => status).sort()).to.deep.equal([
      'applied',
      'duplicate',
    ]);
    expect(await fixture.refundsOf(charge)).to.deep.equal([]);
  });

  it('of too little for a payment link, accepted, pays the link', async () => {
    const link = await newLink(stack, { amount_kobo: 100_000 });
    const charge = await openedBy(stack, link);
    await stack.settle();
    await stack.control.pay(charge.reference, { amount_kobo: 60_000 });
    await stack.settle();
    expect((await readLink(stack, link)).status).to.equal('active');
    expect((await fixture.post('accept', await fixture.reviewOf(charge))).status).to.equal(200);
    expect(await readLink(stack, link)).to.include({ status: 'paid', transaction_id: charge.id });
  });
});
