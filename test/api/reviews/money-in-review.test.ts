import { expect } from 'chai';
import { openCharge, paidCharge, stored } from '../../support/charges.ts';
import { DAY } from '../../support/clock.ts';
import { expectError } from '../../support/contract.ts';
import { newLink, openedBy, readLink } from '../../support/payment-links.ts';
import { type Charge, openReviewDesk } from './given.ts';

describe('Money in review', () => {
  const desk = openReviewDesk();

  it('too little, accepted, is the charge’s payment: told once, and no more than it can ever go back', async () => {
    const charge = await desk.underpaid();
    expect((await desk.post('accept', await desk.reviewOf(charge))).status).to.equal(200);
    const {
      status,
      amount_kobo: amountKobo,
      review,
      events,
      captures,
    } = await stored(desk.stack, charge);
    expect({ status, amountKobo, review }).to.deep.equal({
      status: 'succeeded',
      amountKobo: 100_000,
      review: [],
    });
    expect(captures.map(({ status }) => status)).to.deep.equal(['applied']);
    expect(events.map(({ type }) => type)).to.deep.equal(['charge.succeeded']);
    const tooMuch = { reference: charge.reference, amount_kobo: 60_001, reason: 'x' };
    expectError(await desk.stack.api.post('/refunds', tooMuch), 422, 'validation_failed', [
      'amount_kobo',
    ]);
    const { json } = await desk.stack.api.post('/refunds', {
      reference: charge.reference,
      reason: 'All of it',
    });
    expect(json.amount_kobo).to.equal(60_000);
    await desk.stack.api.get(`/charges/${charge.reference}`);
    expect((await stored(desk.stack, charge)).events, 'asked again').to.have.length(1);
  });

  it('too little, returned, goes back without an Owner, and the charge is free to expire', async () => {
    const charge = await desk.underpaid();
    expect((await desk.post('return', await desk.reviewOf(charge))).json.status).to.equal(
      'returned',
    );
    const [refund, ...more] = await desk.refundsOf(charge);
    expect(more).to.deep.equal([]);
    expect(refund).to.include({
      amount_kobo: 60_000,
      origin: 'system',
      reason: 'It was less than was asked.',
    });
    const returned = await stored(desk.stack, charge);
    expect(returned).to.deep.include({ status: 'pending', review: [], refunded_kobo: 0 });
    expect(
      returned.captures.map(({ status }) => status),
      'nothing the charge can be completed with',
    ).to.deep.equal(['duplicate']);
    desk.stack.clock.advance(DAY + 60_000);
    await desk.stack.settle();
    await desk.stack.api.get(`/charges/${charge.reference}`);
    expect((await stored(desk.stack, charge)).status).to.equal('failed');
  });

  it('too little of a charge that was paid after all is kept beside it', async () => {
    const charge = await desk.underpaid();
    const held = await desk.paymentOf(charge);
    await desk.tell(charge, {
      ...held,
      providerPaymentId: `whole-${charge.reference}`,
      amountKobo: 100_000,
    });
    expect((await desk.post('accept', await desk.reviewOf(charge))).status).to.equal(200);
    const after = await stored(desk.stack, charge);
    expect(after).to.deep.include({ status: 'succeeded', review: [] });
    expect(after.captures.map(({ status }) => status).sort()).to.deep.equal([
      'applied',
      'duplicate',
    ]);
    expect(await desk.refundsOf(charge)).to.deep.equal([]);
  });

  it('a payment that grew to the whole answered itself', async () => {
    const charge = await desk.underpaid();
    const review = await desk.reviewOf(charge);
    const held = await desk.paymentOf(charge);
    await desk.tell(charge, { ...held, amountKobo: 100_000 });
    expect(await stored(desk.stack, charge)).to.deep.include({ status: 'succeeded', review: [] });
    expect(await desk.reviewOf(charge)).to.include({
      id: review.id,
      status: 'resolved',
      decided_by: null,
    });
    const refused = await desk.post('return', review);
    expectError(refused, 409, 'invalid_state');
    expect(refused.json.error.message).to.include('it is resolved');
  });

  it('too little for a payment link, accepted, pays the link', async () => {
    const link = await newLink(desk.stack, { amount_kobo: 100_000 });
    const charge = await openedBy(desk.stack, link);
    await desk.stack.settle();
    await desk.stack.control.pay(charge.reference, { amount_kobo: 60_000 });
    await desk.stack.settle();
    expect((await readLink(desk.stack, link)).status).to.equal('active');
    expect((await desk.post('accept', await desk.reviewOf(charge))).status).to.equal(200);
    expect(await readLink(desk.stack, link)).to.include({
      status: 'paid',
      transaction_id: charge.id,
    });
  });

  /** A charge of ₦1,000 for which ₦1,200 was paid. */
  async function overpaid(): Promise<Charge> {
    const charge = await openCharge(desk.stack);
    await desk.stack.control.pay(charge.reference, { amount_kobo: 120_000 });
    await desk.stack.settle();
    expect(await desk.reviewOf(charge)).to.include({ reason: 'overpaid', amount_kobo: 20_000 });
    return charge;
  }

  it('too much, accepted, stays with the merchant', async () => {
    const charge = await overpaid();
    expect((await desk.post('accept', await desk.reviewOf(charge))).json.status).to.equal(
      'accepted',
    );
    expect(await stored(desk.stack, charge)).to.deep.include({ status: 'succeeded', review: [] });
    expect(await desk.refundsOf(charge)).to.deep.equal([]);
  });

  it('too much, returned, sends the excess back and nothing of the charge', async () => {
    const charge = await overpaid();
    await desk.post('return', await desk.reviewOf(charge));
    expect(
      (await desk.refundsOf(charge)).map(({ amount_kobo, origin }) => [amount_kobo, origin]),
    ).to.deep.equal([[20_000, 'system']]);
    desk.stack.clock.advance(60_000);
    await desk.stack.settle();
    const after = await stored(desk.stack, charge);
    expect(after).to.deep.include({ status: 'succeeded', refunded_kobo: 0, review: [] });
    expect((await desk.refundsOf(charge))[0]!.status).to.equal('completed');
    expect(
      (await desk.stack.api.post('/refunds', { reference: charge.reference, reason: 'All' })).json
        .amount_kobo,
    ).to.equal(100_000);
  });

  /** A second payment of ₦1,000 that could not be sent back. */
  async function paidTwice(): Promise<Charge> {
    const charge = await paidCharge(desk.stack);
    const kept = await desk.paymentOf(charge);
    await desk.tell(charge, { ...kept, providerPaymentId: `twice-${charge.reference}` });
    await desk.stack.settle();
    const [refund] = await desk.refundsOf(charge);
    await desk.stack.context.db.query(
      `update refunds set status = 'failed', due_at = null where id = $1`,
      [refund!.id],
    );
    await desk.stack.context.db.query(`delete from reviews where charge_id = $1`, [
      refund!.charge_id,
    ]);
    await desk.tell(charge, {
      type: 'not returned',
      captureId: refund!.capture_id,
      amountKobo: 100_000,
      message: 'The account is closed.',
    });
    expect(await desk.reviewOf(charge)).to.include({
      reason: 'extra_capture',
      amount_kobo: 100_000,
    });
    return charge;
  }

  it('what came twice, accepted, is kept outside the charge', async () => {
    const charge = await paidTwice();
    expect((await desk.post('accept', await desk.reviewOf(charge))).status).to.equal(200);
    expect(await stored(desk.stack, charge)).to.deep.include({
      status: 'succeeded',
      review: [],
      refunded_kobo: 0,
    });
    expect(await desk.refundsOf(charge)).to.have.length(1);
  });

  it('what came twice, returned, is sent back once more', async () => {
    const charge = await paidTwice();
    expect((await desk.post('return', await desk.reviewOf(charge))).status).to.equal(200);
    const [, again] = await desk.refundsOf(charge);
    expect(again).to.include({
      origin: 'system',
      amount_kobo: 100_000,
      reason: 'It was paid a second time.',
    });
  });

  it('a payment that does not fit is the charge’s once a person says so', async () => {
    const charge = await openCharge(desk.stack);
    const { attempts } = await stored(desk.stack, charge);
    const attempt = attempts[0]!;
    await desk.tell(charge, {
      ...{
        type: 'captured',
        attemptId: attempt.id,
        attemptReference: attempt.reference,
        reference: 'another-reference',
      },
      ...{
        attemptedAt: attempt.created_at,
        connectionId: attempt.connection_id,
        slot: attempt.slot,
        providerPaymentId: 'odd',
      },
      ...{
        amountKobo: 110_000,
        feeKobo: 0,
        currency: 'NGN',
        channel: 'card',
        mode: 'test',
        createdAt: null,
        capturedAt: desk.stack.clock(),
      },
    });
    expect(await stored(desk.stack, charge)).to.deep.include({
      status: 'pending',
      review: ['capture_mismatch'],
    });
    expect((await desk.post('accept', await desk.reviewOf(charge))).status).to.equal(200);
    const after = await stored(desk.stack, charge);
    expect(after).to.deep.include({
      status: 'succeeded',
      review: ['overpaid'],
      provider_reference: 'odd',
    });
    expect(
      (await desk.reviewsOf(charge)).map(({ reason, amount_kobo }) => [reason, amount_kobo]),
    ).to.deep.equal([
      ['overpaid', 10_000],
      ['capture_mismatch', 110_000],
    ]);
  });
});
