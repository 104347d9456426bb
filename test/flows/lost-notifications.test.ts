import { expect } from 'chai';
import type { ProviderCapture } from '../../domain/providers/port/payment.ts';
import { openCharge, paidCharge, stored } from '../support/charges.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../support/clock.ts';
import { nothingHeldBack } from '../support/feed.ts';
import { approvedRefund, refundRow, refundsOf } from '../support/refunds.ts';
import { resetStack } from '../support/reset-stack.ts';
import { changePayments } from '../support/sandbox-store.ts';
import { withShortTimeouts } from '../support/short-timeouts.ts';
import { expectNoLeaks, type Stack, startStack } from '../support/stack.ts';

/** No notification arrives, and nobody reads the charge over the API. */
describe('With every notification lost', () => {
  let stack: Stack;
  before(async () => {
    stack = await startStack({ lists: true });
  });
  beforeEach(() => faults({ drop_notifications: true }));
  after(() => stack[Symbol.asyncDispose]());
  afterEach(async () => {
    await expectNoLeaks(stack);
    await resetStack(stack);
  });

  const faults = (of: Record<string, unknown>) => stack.control.faults(of);

  const pass = async (ms: number) => {
    stack.clock.advance(ms);
    await stack.sandbox.tick();
    await stack.settle();
  };

  /** A charge at a provider that its own checks find paid. */
  const paidAt = async (provider: string) => {
    const charge = await openCharge(stack, { provider });
    await stack.control.pay(charge.reference, { channel: 'bank_transfer' });
    await pass(11 * SECOND);
    expect(await stored(stack, charge)).to.include({ status: 'succeeded' });
    return charge;
  };

  const feedTypes = async () => {
    await nothingHeldBack(stack);
    const { json } = await stack.api.get('/events?limit=100');
    return json.data.map(({ type }: { type: string }) => type);
  };

  for (const [when, ms, foundWithinMs] of [
    ['minutes', 2 * MINUTE, 4 * MINUTE],
    ['hours', 4 * HOUR, 3 * HOUR],
  ] as const)
    it(`a second payment under one Flutterwave reference, ${when} after the first, is sent back`, async () => {
      const charge = await paidAt('provider_b');
      await pass(ms);
      await stack.control.pay(charge.reference, { channel: 'bank_transfer', again: true });
      await pass(foundWithinMs);
      for (let step = 0; step < 3; step++) await pass(3 * SECOND);
      const { status, captures } = await stored(stack, charge);
      expect(status).to.equal('succeeded');
      expect(captures.map((capture) => capture.status)).to.deep.equal(['applied', 'duplicate']);
      const refunds = await refundsOf(stack, charge);
      expect(refunds.map((refund) => [refund.status, refund.amount_kobo])).to.deep.equal([
        ['completed', 100_000],
      ]);
    });

  it('a second Flutterwave payment whose payer bore the fee goes back with it', async () => {
    const charge = await paidAt('provider_b');
    await stack.control.pay(charge.reference, { again: true, amount_kobo: 101_400 });
    await withPayersFees(stack, 100_000, async () => {
      await pass(MINUTE);
      for (let step = 0; step < 3; step++) await pass(3 * SECOND);
    });
    const { captures } = await stored(stack, charge);
    expect(captures[1]).to.include({ amount_kobo: 100_000, payer_fee_kobo: 1_400 });
    const refunds = await refundsOf(stack, charge);
    expect(refunds.map((refund) => [refund.status, refund.amount_kobo])).to.deep.equal([
      ['completed', 101_400],
    ]);
  });

  it('a second Flutterwave payment is found though checks fail for minutes', async () => {
    const charge = await paidAt('provider_b');
    await stack.control.pay(charge.reference, { channel: 'bank_transfer', again: true });
    await faults({ drop_notifications: true, error_rate: 1 });
    for (let minute = 0; minute < 6; minute++) await pass(MINUTE);
    await faults({ drop_notifications: true });
    await pass(5 * MINUTE);
    const { captures } = await stored(stack, charge);
    expect(captures.map((capture) => capture.status)).to.deep.equal(['applied', 'duplicate']);
  });

  it('more money under a paid Monnify reference is put into review', async () => {
    const charge = await paidAt('provider_c');
    changePayments(stack, charge, ({ paidKobo }) => ({ paidKobo: paidKobo! + 5_000 }));
    await pass(MINUTE);
    expect(await stored(stack, charge)).to.deep.include({
      status: 'succeeded',
      review: ['overpaid'],
    });
  });

  it('a Paystack payment after a decline makes the failed charge succeed within minutes', async () => {
    const charge = await openCharge(stack);
    await stack.control.pay(charge.reference, { outcome: 'failed' });
    await pass(11 * SECOND);
    expect(await stored(stack, charge)).to.include({ status: 'failed' });
    await pass(MINUTE);
    await stack.control.pay(charge.reference);
    await pass(MINUTE);
    expect(await stored(stack, charge)).to.include({ status: 'succeeded', recovered: true });
  });

  it('an unsigned notification, as the sandbox of Monnify sends them, has the payment verified', async () => {
    const charge = await openCharge(stack, { provider: 'provider_c' });
    await stack.control.pay(charge.reference, { channel: 'bank_transfer' });
    const { attempts } = await stored(stack, charge);
    const { reference, connection_id: connectionId } = attempts[0]!;
    const notify = (paymentReference: string, headers: Record<string, string> = {}) =>
      fetch(new URL(`/notifications/${connectionId}`, stack.baseUrl), {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({
          eventType: 'SUCCESSFUL_TRANSACTION',
          eventData: { paymentReference, paymentStatus: 'PAID', amountPaid: 1 },
        }),
      });
    expect((await notify(reference, { 'monnify-signature': 'wrong' })).status).to.equal(401);
    expect((await notify(reference)).status).to.equal(200);
    await stack.settle();
    const { status, captures } = await stored(stack, charge);
    expect(status).to.equal('succeeded');
    expect(captures.map(({ amount_kobo }) => amount_kobo)).to.deep.equal([100_000]);
  });

  it('the rest of an underpaid charge past its end is found within a day', async () => {
    const charge = await openCharge(stack);
    await stack.control.pay(charge.reference, { amount_kobo: 60_000 });
    await pass(DAY + MINUTE);
    expect(await stored(stack, charge)).to.deep.include({
      status: 'pending',
      review: ['underpaid'],
    });
    await pass(DAY);
    changePayments(stack, charge, ({ requestedKobo }) => ({ paidKobo: requestedKobo }));
    await pass(DAY);
    expect(await stored(stack, charge)).to.deep.include({ status: 'succeeded', review: [] });
  });

  it('a Flutterwave refund found late is followed to its end though its checks fail', async () => {
    const charge = await paidAt('provider_b');
    await faults({ drop_notifications: true, timeout_after_accept_rate: 1 });
    const refund = await withShortTimeouts(stack, ['createMs'], async () => {
      const approved = await approvedRefund(stack, charge);
      await stack.settle();
      return approved;
    });
    const [sent] = stack.sandbox.store.refund.find('due');
    stack.sandbox.store.refund.change(sent!, { dueAt: null });
    await faults({ drop_notifications: true });
    await pass(5 * MINUTE);
    expect(await refundRow(stack, refund)).to.include({ status: 'processing' });

    await faults({ drop_notifications: true, error_rate: 1 });
    for (const ms of [2, 3, 10, 45, 60, 60, 60, 60].map((seconds) => seconds * SECOND))
      await pass(ms);
    await faults({ drop_notifications: true });
    stack.sandbox.store.refund.change(sent!, { dueAt: stack.clock() });
    expect((await refundRow(stack, refund)).status).to.equal('processing');
    await pass(5 * MINUTE);
    expect(await refundRow(stack, refund)).to.include({ status: 'completed', due_at: null });
    expect(await feedTypes()).to.deep.equal(['charge.succeeded', 'refund.completed']);
  });

  it('a paid charge asks nothing more of a provider that takes one payment per reference', async () => {
    const { reference } = await paidCharge(stack);
    const { attempts } = await stored(stack, { reference });
    expect(attempts.map(({ due_at }) => due_at)).to.deep.equal([null]);
  });
});

/** While `work` runs, the provider states what was paid above the amount asked as the payer's fee. */
async function withPayersFees(
  { context }: Stack,
  askedKobo: number,
  work: () => Promise<void>,
): Promise<void> {
  const { providerOf } = context;
  const asFee = (capture: ProviderCapture): ProviderCapture => {
    const payerFeeKobo = capture.amountKobo - askedKobo;
    return payerFeeKobo > 0 ? { ...capture, amountKobo: askedKobo, payerFeeKobo } : capture;
  };
  context.providerOf = (...opened) => {
    const provider = providerOf(...opened);
    const verify: typeof provider.verify = async (...asked) => {
      const verification = await provider.verify(...asked);
      return { ...verification, captures: verification.captures.map(asFee) };
    };
    return { ...provider, verify };
  };
  await work().finally(() => {
    context.providerOf = providerOf;
  });
}
