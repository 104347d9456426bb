import { expect } from 'chai';
import { openCharge, stored } from '../support/charges.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../support/clock.ts';
import { expectNoLeaks, type Stack, startStack } from '../support/stack.ts';

describe('Money is found, however it comes', () => {
  let stack: Stack;
  beforeEach(async () => {
    stack = await startStack();
  });
  afterEach(async () => {
    await expectNoLeaks(stack);
    await stack[Symbol.asyncDispose]();
  });

  it('by checking, when every notification is dropped', async () => {
    await stack.control.faults({ provider: 'paystack', drop_notifications: true });
    const charge = await openCharge(stack);
    await stack.control.pay(charge.reference);
    await stack.settle();
    expect(await stored(stack, charge)).to.include({ status: 'pending' });
    stack.clock.advance(6 * SECOND);
    await stack.settle();
    expect(await stored(stack, charge)).to.include({ status: 'succeeded' });
    expect(stack.receiver.received).to.have.length(1);
  });

  it('once, when every notification comes twice', async () => {
    await stack.control.faults({ provider: 'paystack', duplicate_notifications: true });
    const charge = await openCharge(stack);
    await stack.control.pay(charge.reference);
    await stack.settle();
    const { events, captures } = await stored(stack, charge);
    expect(events.map((event) => event.type)).to.deep.equal(['charge.succeeded']);
    expect(captures.map((capture) => capture.status)).to.deep.equal(['applied']);
    expect(stack.receiver.received).to.have.length(1);
  });

  it('by a read: a charge that is not final asks the provider', async () => {
    const charge = await openCharge(stack);
    await stack.control.pay(charge.reference, { notify: false, channel: 'bank_transfer' });
    const { json } = await stack.api.get(`/charges/${charge.reference}`);
    expect(json.transaction).to.include({ status: 'succeeded', channel: 'bank_transfer' });
  });

  it('late: a payment after the charge failed makes it succeed, marked as recovered', async () => {
    const charge = await openCharge(stack);
    await stack.control.pay(charge.reference, { outcome: 'failed' });
    stack.clock.advance(6 * SECOND);
    await stack.settle();
    const failed = await stored(stack, charge);
    expect(failed).to.include({ status: 'failed', failure_cause: 'declined' });
    expect(failed.failure_message).to.be.a('string').and.not.equal('');

    await stack.control.pay(charge.reference, { notify: false });
    stack.clock.advance(HOUR + MINUTE);
    await stack.settle();
    const recovered = await stored(stack, charge);
    expect(recovered).to.include({ status: 'succeeded', recovered: true, failure_message: null });
    expect(recovered.events.map((event) => event.type)).to.deep.equal([
      'charge.failed',
      'charge.succeeded',
    ]);
    expect(stack.receiver.received.map(({ body }) => JSON.parse(body).type)).to.deep.equal([
      'charge.succeeded',
    ]);
  });

  it('but not as a success when it is too little: the charge stays pending, past its end, for a person to decide', async () => {
    const charge = await openCharge(stack);
    await stack.control.pay(charge.reference, { amount_kobo: 99_999 });
    await stack.settle();
    expect(await stored(stack, charge)).to.deep.include({
      status: 'pending',
      review: ['underpaid'],
    });
    stack.clock.advance(2 * DAY);
    await stack.settle();
    const { status, captures, events } = await stored(stack, charge);
    expect(status).to.equal('pending');
    expect(captures).to.have.length(1);
    expect(captures[0]).to.include({ status: 'on_hold', amount_kobo: 99_999 });
    expect(events).to.have.length(0);
    expect(stack.receiver.received).to.have.length(0);
  });

  it('in the rest of a payment that was too small, while the charge waits for it', async () => {
    await stack.control.faults({ provider: 'paystack', drop_notifications: true });
    const charge = await openCharge(stack);
    await stack.control.pay(charge.reference, { amount_kobo: 60_000 });
    stack.clock.advance(6 * SECOND);
    await stack.settle();
    expect(await stored(stack, charge)).to.deep.include({
      status: 'pending',
      review: ['underpaid'],
    });
    await stack.context.db.query('update sandbox.payment set paid_kobo = requested_kobo');
    stack.clock.advance(10 * MINUTE);
    await stack.settle();
    expect(await stored(stack, charge)).to.deep.include({ status: 'succeeded', review: [] });
  });

  it('as long as there is hope: a provider that never answers is not asked for ever', async () => {
    const charge = await openCharge(stack);
    await stack.control.pay(charge.reference, { outcome: 'failed' });
    stack.clock.advance(6 * SECOND);
    await stack.settle();
    await stack.control.faults({ provider: 'paystack', error_rate: 1 });
    const verifies = async () => (await stack.control.stats()).paystack!.verifies;
    const before = await verifies();
    for (let hour = 0; hour < 200; hour += 4) {
      stack.clock.advance(4 * HOUR);
      await stack.settle();
    }
    expect((await verifies()) - before, 'after 1, 6, 24 and 72 hours').to.equal(4);
    expect((await stored(stack, charge)).attempts[0]).to.include({ due_at: null });
  });

  it('as a success when it is too much, with the excess in review', async () => {
    const charge = await openCharge(stack);
    await stack.control.pay(charge.reference, { amount_kobo: 150_000 });
    await stack.settle();
    expect(await stored(stack, charge)).to.deep.include({
      status: 'succeeded',
      review: ['overpaid'],
      amount_kobo: 100_000,
    });
  });
});

describe('A charge that is not paid', () => {
  let stack: Stack;
  beforeEach(async () => {
    stack = await startStack();
  });
  afterEach(() => stack[Symbol.asyncDispose]());

  it('expires after its last check', async () => {
    const charge = await openCharge(stack);
    stack.clock.advance(DAY + MINUTE);
    await stack.settle();
    expect(await stored(stack, charge)).to.include({ status: 'failed', failure_cause: 'expired' });
    expect((await stack.api.get(`/charges/${charge.reference}`)).json).to.include({
      status: 'expired',
      transaction: null,
    });
  });

  it('does not expire while the provider is silent', async () => {
    const charge = await openCharge(stack);
    await stack.control.faults({ provider: 'paystack', error_rate: 1 });
    stack.clock.advance(DAY + HOUR);
    await stack.settle();
    stack.clock.advance(DAY);
    await stack.settle();
    expect(await stored(stack, charge)).to.include({ status: 'pending' });
    await stack.control.faults();
    stack.clock.advance(HOUR);
    await stack.settle();
    expect(await stored(stack, charge)).to.include({ status: 'failed', failure_cause: 'expired' });
  });
});
