import { expect } from 'chai';
import { breakerRules } from '../../domain/providers/guard/breaker.ts';
import { type Checkout, newCharge, openCharge, stored } from '../support/charges.ts';
import { MINUTE } from '../support/clock.ts';
import { type Stack, startStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

const provider = 'provider_a';

describe('A provider that answers again after many tries', () => {
  const breaker = { ...breakerRules, minimumCalls: 3, openMs: 50 };
  let stack: Stack;
  beforeEach(async () => {
    stack = await startStack({ env: { breaker } });
  });
  afterEach(() => stack[Symbol.asyncDispose]());

  async function whileItFails(): Promise<{ created: Checkout; paid: Checkout }> {
    const paid = await openCharge(stack, { provider });
    await stack.control.faults({ error_rate: 1 });
    const created = await newCharge(stack, { provider });
    await stack.control.pay(paid.reference, { channel: 'bank_transfer' });
    for (let minute = 0; minute < 6; minute++) {
      await stack.settle();
      stack.clock.advance(MINUTE);
    }
    await stack.settle();
    expect(await statusesOf({ created, paid })).to.deep.equal(['initiated', 'pending']);
    await until('half-open', async () => stack.context.openBreakers().length === 0);
    await stack.control.faults();
    return { created, paid };
  }
  const statusesOf = async (charges: Record<'created' | 'paid', Checkout>) => [
    (await stored(stack, charges.created)).status,
    (await stored(stack, charges.paid)).status,
  ];

  it('is asked at once for all that waits', async () => {
    const charges = await whileItFails();
    await newCharge(stack, { provider });
    await stack.settle();
    expect(await statusesOf(charges)).to.deep.equal(['pending', 'succeeded']);
  });

  it('is not asked by a paused queue', async () => {
    const charges = await whileItFails();
    const creates = stack.context.queues.all.get('charge-create')!;
    await creates.pause();
    await stack.api.get(`/charges/${charges.paid.reference}`); // which asks the provider
    await until('its job', async () => (await creates.getWaitingCount()) === 1);
    expect(await statusesOf(charges)).to.deep.equal(['initiated', 'succeeded']);
    await creates.resume();
    await stack.settle();
    expect(await statusesOf(charges)).to.deep.equal(['pending', 'succeeded']);
  });
});
