import { expect } from 'chai';
import { openCharge, stored } from '../support/charges.ts';
import { HOUR, MINUTE, SECOND } from '../support/clock.ts';
import { nothingHeldBack } from '../support/feed.ts';
import { approvedRefund, refundRow, refundsOf } from '../support/refunds.ts';
import { resetStack } from '../support/reset-stack.ts';
import { withShortTimeouts } from '../support/short-timeouts.ts';
import { useStack } from '../support/stack.ts';

describe('With every notification lost', () => {
  const stack = useStack({ lists: true });
  beforeEach(() => stack.control.faults({ drop_notifications: true }));
  afterEach(() => resetStack(stack));

  const paidAt = async (provider: string) => {
    const charge = await openCharge(stack, { provider });
    await stack.control.pay(charge.reference, { channel: 'bank_transfer' });
    await stack.pass(11 * SECOND);
    expect(await stored(stack, charge)).to.include({ status: 'succeeded' });
    return charge;
  };

  for (const [when, ms, foundWithinMs] of [
    ['minutes', 2 * MINUTE, 4 * MINUTE],
    ['hours', 4 * HOUR, 3 * HOUR],
  ] as const)
    it(`a second payment under one Flutterwave reference, ${when} after the first, is sent back`, async () => {
      const charge = await paidAt('provider_b');
      await stack.pass(ms);
      await stack.control.pay(charge.reference, { channel: 'bank_transfer', again: true });
      await stack.pass(foundWithinMs);
      for (let step = 0; step < 3; step++) await stack.pass(3 * SECOND);
      const { status, captures } = await stored(stack, charge);
      expect(status).to.equal('succeeded');
      expect(captures.map((capture) => capture.status)).to.deep.equal(['applied', 'duplicate']);
      const refunds = await refundsOf(stack, charge);
      expect(refunds.map((refund) => [refund.status, refund.amount_kobo])).to.deep.equal([
        ['completed', 100_000],
      ]);
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

  it('a Flutterwave refund found late is followed to its end though its checks fail', async () => {
    const charge = await paidAt('provider_b');
    await stack.control.faults({ drop_notifications: true, timeout_after_accept_rate: 1 });
    const refund = await withShortTimeouts(stack, ['createMs'], async () => {
      const approved = await approvedRefund(stack, charge);
      await stack.settle();
      return approved;
    });
    const [sent] = stack.sandbox.store.refund.find('due');
    stack.sandbox.store.refund.change(sent!, { dueAt: null });
    await stack.control.faults({ drop_notifications: true });
    await stack.pass(5 * MINUTE);
    expect(await refundRow(stack, refund)).to.include({ status: 'processing' });

    await stack.control.faults({ drop_notifications: true, error_rate: 1 });
    for (const ms of [2, 3, 10, 45, 60, 60, 60, 60].map((seconds) => seconds * SECOND))
      await stack.pass(ms);
    await stack.control.faults({ drop_notifications: true });
    stack.sandbox.store.refund.change(sent!, { dueAt: stack.clock() });
    expect((await refundRow(stack, refund)).status).to.equal('processing');
    await stack.pass(5 * MINUTE);
    expect(await refundRow(stack, refund)).to.include({ status: 'completed', due_at: null });
    await nothingHeldBack(stack);
    const { data } = (await stack.api.get('/events?limit=100')).json;
    const types = data.map(({ type }: { type: string }) => type);
    expect(types).to.deep.equal([
      ...['charge.succeeded', 'refund.requested', 'refund.approved', 'refund.completed'],
    ]);
  });

  async function passMinutes(minutes: number): Promise<void> {
    for (let minute = 0; minute < minutes; minute++) await stack.pass(MINUTE);
  }

  const verifies = async (provider: string) =>
    (await stack.control.stats())[provider]!.verifies as number;

  for (const provider of ['paystack', 'flutterwave', 'monnify'] as const) {
    const slot = { paystack: 'provider_a', flutterwave: 'provider_b', monnify: 'provider_c' };

    it(`a payment at ${provider} is found within two minutes, whatever else is open`, async () => {
      const charge = await openCharge(stack, { provider: slot[provider] });
      const others = await Promise.all(
        [1, 2, 3].map(() => openCharge(stack, { provider: slot[provider] })),
      );
      await passMinutes(1);
      await stack.pass(19 * MINUTE); // the early checks are over
      const before = await verifies(provider);
      await stack.control.pay(charge.reference, { channel: 'bank_transfer' });
      await passMinutes(2);
      expect(await stored(stack, charge)).to.include({ status: 'succeeded' });
      // Monnify is asked once more: money may be added to a payment.
      expect((await verifies(provider)) - before).to.be.within(1, provider === 'monnify' ? 2 : 1);
      for (const other of others)
        expect(await stored(stack, other)).to.include({ status: 'pending' });
    });
  }

  it('a payment is found after the first try was declined and the charge failed', async () => {
    const charge = await openCharge(stack, { provider: 'provider_a' });
    await stack.control.pay(charge.reference, { outcome: 'failed' });
    await passMinutes(1);
    expect(await stored(stack, charge)).to.include({ status: 'failed' });
    await passMinutes(1);
    await stack.control.pay(charge.reference);
    await passMinutes(2);
    expect(await stored(stack, charge)).to.include({ status: 'succeeded', recovered: true });
  });

  it('a charge that is never paid costs at most nine verifications', async () => {
    const before = await verifies('paystack');
    const charge = await openCharge(stack, { provider: 'provider_a' });
    for (;;) {
      const [attempt] = (await stored(stack, charge)).attempts;
      if (!attempt!.due_at) break;
      stack.clock.advance(Math.max(0, attempt!.due_at.getTime() - stack.clock().getTime()));
      await stack.settle();
    }
    expect(await stored(stack, charge)).to.include({ status: 'failed', failure_cause: 'expired' });
    expect((await verifies('paystack')) - before).to.equal(9);
  });
});
