import { expect } from 'chai';
import type { Env } from '../../config/env.ts';
import { breakerRules } from '../../domain/providers/breaker.ts';
import { type Checkout, newCharge, openCharge, stored } from '../support/charges.ts';
import { MINUTE } from '../support/clock.ts';
import { type Stack, startStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

const provider = 'provider_a';

describe('A provider that answers again after many tries', () => {
  const start = (rules: Partial<Env['breaker']>) =>
    startStack({ env: { breaker: { ...breakerRules, ...rules } } });

  /** While the provider fails, one charge waits to be created and another one's payment is unread. */
  async function whileItFails(stack: Stack): Promise<{ created: Checkout; paid: Checkout }> {
    const paid = await openCharge(stack, { provider });
    await stack.control.faults({ error_rate: 1 });
    const created = await newCharge(stack, { provider });
    await stack.control.pay(paid.reference, { channel: 'bank_transfer' });
    for (let minute = 0; minute < 6; minute++) {
      await stack.settle();
      stack.clock.advance(MINUTE);
    }
    await stack.settle();
    expect(await statusesOf(stack, { created, paid })).to.deep.equal(['initiated', 'pending']);
    return { created, paid };
  }
  const statusesOf = async (stack: Stack, charges: Record<'created' | 'paid', Checkout>) => [
    (await stored(stack, charges.created)).status,
    (await stored(stack, charges.paid)).status,
  ];

  it('is asked at once for all that waits', async () => {
    await using stack = await start({ minimumCalls: 1_000_000, failingForMs: 0 });
    const charges = await whileItFails(stack);
    await stack.control.faults();
    await newCharge(stack, { provider });
    await stack.settle();
    expect(await statusesOf(stack, charges)).to.deep.equal(['pending', 'succeeded']);
  });

  it('is tried by something that waits as soon as its breaker lets a call through', async () => {
    await using stack = await start({ minimumCalls: 3, failingForMs: 0, openMs: 200 });
    const charges = await whileItFails(stack);
    await stack.control.faults();
    await until('all that waited', async () => {
      const [created, paid] = await statusesOf(stack, charges);
      return created === 'pending' && paid === 'succeeded';
    });
  });

  it('is not asked by a paused queue', async () => {
    await using stack = await start({ minimumCalls: 1_000_000, failingForMs: 0 });
    const charges = await whileItFails(stack);
    await stack.control.faults();
    const creates = stack.context.queues.all.get('charge-create')!;
    await creates.pause();
    await stack.api.get(`/charges/${charges.paid.reference}`); // which asks the provider
    await stack.context.dispatcher.idle();
    expect(await statusesOf(stack, charges)).to.deep.equal(['initiated', 'succeeded']);
    expect(await creates.getWaitingCount(), 'enqueued').to.equal(1);
    await creates.resume();
    await stack.settle();
    expect(await statusesOf(stack, charges)).to.deep.equal(['pending', 'succeeded']);
  });
});
