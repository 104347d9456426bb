import { expect } from 'chai';
import { openCharge, stored } from '../support/charges.ts';
import { MINUTE } from '../support/clock.ts';
import { resetStack } from '../support/reset-stack.ts';
import { useStack } from '../support/stack.ts';

describe('A payment that no notification tells of', () => {
  const stack = useStack({ payouts: true });
  beforeEach(() => stack.control.faults({ drop_notifications: true }));
  afterEach(() => resetStack(stack));

  async function passMinutes(minutes: number): Promise<void> {
    for (let minute = 0; minute < minutes; minute++) await stack.pass(MINUTE);
  }

  async function letEarlyChecksPass(): Promise<void> {
    await passMinutes(1);
    await stack.pass(19 * MINUTE);
  }

  const verifies = async (provider: string) =>
    (await stack.control.stats())[provider]!.verifies as number;

  for (const provider of ['paystack', 'flutterwave', 'monnify'] as const) {
    const slot = { paystack: 'provider_a', flutterwave: 'provider_b', monnify: 'provider_c' };

    it(`is found at ${provider} within two minutes, whatever else is open`, async () => {
      const charge = await openCharge(stack, { provider: slot[provider] });
      const others = await Promise.all(
        [1, 2, 3].map(() => openCharge(stack, { provider: slot[provider] })),
      );
      await letEarlyChecksPass();
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

  it('is found after the first try was declined and the charge failed', async () => {
    const charge = await openCharge(stack, { provider: 'provider_a' });
    await stack.control.pay(charge.reference, { outcome: 'failed' });
    await passMinutes(1);
    expect(await stored(stack, charge)).to.include({ status: 'failed' });
    await passMinutes(1);
    await stack.control.pay(charge.reference);
    await passMinutes(2);
    expect(await stored(stack, charge)).to.include({ status: 'succeeded', recovered: true });
  });

  it('costs a charge that is never paid at most nine verifications', async () => {
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
