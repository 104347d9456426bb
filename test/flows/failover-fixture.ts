import { expect } from 'chai';
import type { Env } from '../../config/env.ts';
import { breakerRules } from '../../domain/providers/guard/breaker.ts';
import { newCharge, stored } from '../support/charges.ts';
import { SECOND } from '../support/clock.ts';
import { type FaultyProvider, faultyProvider } from '../support/faulty-provider.ts';
import { connectionOf } from '../support/provider-account.ts';
import { resetStack } from '../support/reset-stack.ts';
import { expectNoLeaks, type Stack, startStack, withNewTenant } from '../support/stack.ts';

const slots = { provider_a: 'paystack', provider_b: 'paystack', provider_c: 'paystack' };
export const OPEN_FOR_LONG = {
  ...breakerRules,
  ...{ minimumCalls: 3, openMs: 3_600_000, minimumTimeoutMs: 0 },
};
export const OPEN_BRIEFLY = { ...OPEN_FOR_LONG, openMs: 1 };
export const OPEN_FOR_A_MOMENT = { ...OPEN_FOR_LONG, openMs: 50 };

/** Three connections of one provider, of which the first misbehaves as a test says. */
export function useFailover() {
  const stacks = new Map<Env['breaker'], Stack>();
  const stack = {} as Stack;
  const first = {} as FaultyProvider;
  afterEach(async () => {
    await expectNoLeaks(stack);
    first.behaviour = 'working';
    await resetStack(stack);
    await first[Symbol.asyncDispose]();
  });
  after(async () => {
    for (const shared of stacks.values()) await shared[Symbol.asyncDispose]();
  });
  return {
    ...{ stack, first },
    /** Gives the test a new tenant, and so closed breakers, on a shared stack. */
    async start(breaker: Env['breaker'] = OPEN_FOR_LONG) {
      const shared = stacks.get(breaker) ?? (await startStack({ env: { slots, breaker } }));
      stacks.set(breaker, shared);
      Object.assign(stack, await withNewTenant(shared));
      await faultyProvider(stack, 'provider_a', first);
    },
    connectionIn: (slot: string) => connectionOf(stack, slot),
    async openBreakers() {
      const { context, tenant } = stack;
      const rows = await stack.sql<{ slot: string }>`select slot from connections
        where id = any(${context.openBreakers()}) and tenant_id = ${tenant.tenant_id}`;
      return rows.map(({ slot }) => slot);
    },
    /** Fails the first connection until its breaker opens; returns a charge that waits for it. */
    async openFirstBreaker() {
      first.behaviour = 'failing';
      const charge = await newCharge(stack, { provider: 'provider_a' });
      await stack.settle();
      for (let round = 0; round < 3; round++) await stack.pass(10 * SECOND);
      return charge;
    },
    async expectSlots(charge: { reference: string }, ...slots: string[]) {
      const { attempts } = await stored(stack, charge);
      expect(attempts.map(({ slot, status }) => `${slot} ${status}`)).to.deep.equal(slots);
    },
    creates: () => first.requests.filter((call) => call.startsWith('POST')).length,
    linkOf: async (charge: { checkout_url: string }) =>
      (await (await fetch(charge.checkout_url)).text()).match(/data-next="([^"]*)"/)![1],
  };
}
