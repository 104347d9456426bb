import { expect } from 'chai';
import { openCharge, stored } from '../support/charges.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../support/clock.ts';
import { resetStack } from '../support/reset-stack.ts';
import { changePayments } from '../support/sandbox-store.ts';
import { expectNoLeaks, type Stack, startStack } from '../support/stack.ts';

describe('A payment', () => {
  let stack: Stack;
  before(async () => {
    stack = await startStack();
  });
  after(() => stack[Symbol.asyncDispose]());
  afterEach(async () => {
    await expectNoLeaks(stack);
    await resetStack(stack);
  });

  it('is found by checking when every notification is dropped', async () => {
    await stack.control.faults({ provider: 'paystack', drop_notifications: true });
    const charge = await openCharge(stack);
    await stack.control.pay(charge.reference);
    await stack.settle();
    expect(await stored(stack, charge)).to.include({ status: 'pending' });
    stack.clock.advance(11 * SECOND);
    await stack.settle();
    expect(await stored(stack, charge)).to.include({ status: 'succeeded' });
    expect(stack.receiver.received).to.have.length(1);
  });

  it('is recorded once when every notification comes twice', async () => {
    await stack.control.faults({ provider: 'paystack', duplicate_notifications: true });
    const charge = await openCharge(stack);
    await stack.control.pay(charge.reference);
    await stack.settle();
    const { events, captures } = await stored(stack, charge);
    expect(events.map((event) => event.type)).to.deep.equal(['charge.succeeded']);
    expect(captures.map((capture) => capture.status)).to.deep.equal(['applied']);
    expect(stack.receiver.received).to.have.length(1);
  });

  it('is found by reading the charge: a charge that is not final asks the provider', async () => {
    const charge = await openCharge(stack);
    await stack.control.pay(charge.reference, { notify: false, channel: 'bank_transfer' });
    const { json } = await stack.api.get(`/charges/${charge.reference}`);
    expect(json.transaction).to.include({ status: 'succeeded', channel: 'bank_transfer' });
  });

  it('is found by reading the charge though its link has ended', async () => {
    const charge = await openCharge(stack, { provider: 'provider_c' });
    stack.clock.advance(40 * MINUTE);
    await stack.settle();
    expect((await stored(stack, charge)).attempts[0]).to.include({ status: 'expired' });
    changePayments(stack, charge, () => ({ linkExpiresAt: null }));
    await stack.control.pay(charge.reference, { notify: false, channel: 'bank_transfer' });
    const { json } = await stack.api.get(`/charges/${charge.reference}`);
    expect(json.transaction).to.include({ status: 'succeeded' });
  });

  it('is found by reading the charge though its creation was never confirmed', async () => {
    const charge = await openCharge(stack);
    await stack.context.db.query("update attempts set status = 'unconfirmed', due_at = $1", [
      new Date(stack.clock().getTime() + DAY),
    ]);
    await stack.control.pay(charge.reference, { notify: false });
    const { json } = await stack.api.get(`/charges/${charge.reference}`);
    expect(json.transaction).to.include({ status: 'succeeded' });
  });

  it('makes a failed charge succeed, marked as recovered', async () => {
    const charge = await openCharge(stack);
    await stack.control.pay(charge.reference, { outcome: 'failed' });
    stack.clock.advance(11 * SECOND);
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

  it('that is too small leaves the charge pending, past its end, until a person decides', async () => {
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

  it('that was too small completes the charge when the rest is paid', async () => {
    await stack.control.faults({ provider: 'paystack', drop_notifications: true });
    const charge = await openCharge(stack);
    await stack.control.pay(charge.reference, { amount_kobo: 60_000 });
    stack.clock.advance(11 * SECOND);
    await stack.settle();
    expect(await stored(stack, charge)).to.deep.include({
      status: 'pending',
      review: ['underpaid'],
    });
    changePayments(stack, charge, ({ requestedKobo }) => ({ paidKobo: requestedKobo }));
    stack.clock.advance(10 * MINUTE);
    await stack.settle();
    expect(await stored(stack, charge)).to.deep.include({ status: 'succeeded', review: [] });
  });

  it('is looked for less and less often at a provider that never answers, and found when it does', async () => {
    const charge = await openCharge(stack);
    await stack.control.pay(charge.reference, { outcome: 'failed' });
    stack.clock.advance(11 * SECOND);
    await stack.settle();
    await stack.control.pay(charge.reference, { notify: false });
    await stack.control.faults({ provider: 'paystack', error_rate: 1 });
    const verifies = async () => (await stack.control.stats()).paystack!.verifies;
    const before = await verifies();
    for (let hour = 0; hour < 200; hour += 4) {
      stack.clock.advance(4 * HOUR);
      await stack.settle();
    }
    expect((await verifies()) - before, 'verifies').to.be.below(20);
    await stack.control.faults();
    stack.clock.advance(8 * DAY);
    await stack.settle();
    const { status, attempts } = await stored(stack, charge);
    expect(status).to.equal('succeeded');
    expect(attempts[0]).to.include({ due_at: null });
  });

  it('that is too large completes the charge, with the excess in review', async () => {
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
  before(async () => {
    stack = await startStack();
  });
  after(() => stack[Symbol.asyncDispose]());
  afterEach(() => resetStack(stack));

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
