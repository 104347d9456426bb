import { expect } from 'chai';
import { newCharge, stored } from '../support/charges.ts';
import { MINUTE, SECOND } from '../support/clock.ts';
import { describeOnEachQueue } from '../support/each-queue.ts';
import { resetStack } from '../support/reset-stack.ts';
import { withShortTimeouts } from '../support/short-timeouts.ts';
import { expectNoLeaks, type Stack, startStack } from '../support/stack.ts';

describeOnEachQueue('A create whose outcome is unknown', (queues) => {
  let stack: Stack;
  before(async () => {
    stack = await startStack({ queues });
  });
  after(() => stack[Symbol.asyncDispose]());
  afterEach(async () => {
    await expectNoLeaks(stack);
    await resetStack(stack);
  });

  const chargeUnanswered = async () => {
    await stack.control.faults({ provider: 'paystack', timeout_after_accept_rate: 1 });
    const charge = await withShortTimeouts(stack, ['createMs'], async () => {
      const unanswered = await newCharge(stack);
      await stack.settle();
      return unanswered;
    });
    await stack.control.faults();
    return charge;
  };

  it('ends with one payable link when it timed out after the provider accepted it, and nothing is sent again', async () => {
    const charge = await chargeUnanswered();
    stack.clock.advance(10 * SECOND);
    await stack.settle();

    const { attempts, status } = await stored(stack, charge);
    expect(status).to.equal('pending');
    expect(attempts.filter((attempt) => attempt.status === 'open')).to.have.length(1);
    expect(attempts.at(-1)).to.include({ status: 'open' });
    const { paystack } = await stack.control.stats();
    expect(paystack!.resent_after_accept).to.equal(0);
    expect(paystack!.creates).to.equal(paystack!.distinct_references);
    const page = await fetch(charge.checkout_url);
    expect(await page.text()).to.include(attempts.at(-1)!.url);
  });

  it('is watched: a payment at the lost link completes the charge', async () => {
    const charge = await chargeUnanswered();
    const [lost] = (await stored(stack, charge)).attempts;
    expect(lost).to.include({ status: 'lost' });
    await stack.control.pay(lost!.reference, { notify: false });
    stack.clock.advance(20 * MINUTE);
    await stack.settle();
    expect(await stored(stack, charge)).to.include({ status: 'succeeded' });
  });

  it('is paid too little before the outcome is known: the charge is pending, and in review', async () => {
    const charge = await chargeUnanswered();
    const { attempts, status, amount_kobo } = await stored(stack, charge);
    expect(status).to.equal('initiated');
    await stack.control.pay(attempts[0]!.reference, { amount_kobo: amount_kobo - 100 });
    await stack.settle();
    const { status: after, review } = await stored(stack, charge);
    expect([after, review]).to.deep.equal(['pending', ['underpaid']]);
  });

  it('is sent under the same reference when the provider is back, if it surely never arrived', async () => {
    await stack.control.faults({ provider: 'paystack', error_rate: 1 });
    const charge = await newCharge(stack);
    await stack.settle();
    const before = await stored(stack, charge);
    expect(before.status, 'no answer is no refusal').to.equal('initiated');
    await stack.control.faults();
    stack.clock.advance(5 * MINUTE);
    await stack.settle();

    const { status, attempts } = await stored(stack, charge);
    expect(status).to.equal('pending');
    expect(attempts).to.have.length(1);
    expect(attempts[0]).to.include({ status: 'open', reference: before.attempts[0]!.reference });
    expect((await stack.control.stats()).paystack!.resent_after_accept).to.equal(0);
  });

  it('sends nothing more when the charge expires before the provider is back', async () => {
    await stack.control.faults({ provider: 'paystack', error_rate: 1 });
    const charge = await newCharge(stack);
    await stack.settle();
    const { creates } = (await stack.control.stats()).paystack!;
    await stack.control.faults();
    stack.clock.advance(25 * 60 * MINUTE);
    await stack.settle();
    expect(await stored(stack, charge)).to.include({ status: 'failed', failure_cause: 'expired' });
    expect((await stack.control.stats()).paystack!.creates).to.equal(creates);
  });
});
