import type { Env } from '../../config/env.ts';
import { breakerRules } from '../../domain/providers/guard/breaker.ts';
import { apiClient } from '../support/api.ts';
import { newCharge, stored } from '../support/charges.ts';
import { SECOND } from '../support/clock.ts';
import { type FaultyProvider, faultyProvider } from '../support/faulty-provider.ts';
import { connectionOf } from '../support/provider-account.ts';
import { resetStack } from '../support/reset-stack.ts';
import { expectNoLeaks, type Stack, startStack } from '../support/stack.ts';

const slots = { provider_a: 'paystack', provider_b: 'paystack', provider_c: 'paystack' };
export const OPEN_FOR_LONG = {
  ...breakerRules,
  minimumCalls: 3,
  openMs: 3_600_000,
  minimumTimeoutMs: 0,
};
export const OPEN_BRIEFLY = { ...OPEN_FOR_LONG, openMs: 1 };
export const OPEN_FOR_A_MOMENT = { ...OPEN_FOR_LONG, openMs: 50 };

export interface FailoverFixture {
  stack: Stack;
  first: FaultyProvider;
  /** Gives the test a new tenant, and so closed breakers, on a shared stack. */
  start(breaker?: Env['breaker']): Promise<void>;
  connectionIn(slot: string): Promise<string>;
  openBreakers(): Promise<string[]>;
  /** Fails the first connection until its breaker opens; returns a charge that waits for it. */
  openFirstBreaker(): ReturnType<typeof newCharge>;
  slotsOf(charge: { reference: string }): Promise<string[][]>;
  creates(): number;
  linkOf(charge: { checkout_url: string }): Promise<string | undefined>;
}

export function useFailover(): FailoverFixture {
  const stacks = new Map<Env['breaker'], Stack>();
  const fixture = {
    ...{ start, openBreakers, openFirstBreaker },
    connectionIn: (slot) => connectionOf(fixture.stack, slot),
    slotsOf: async (charge) =>
      (await stored(fixture.stack, charge)).attempts.map(({ slot, status }) => [slot, status]),
    creates: () => fixture.first.requests.filter((call) => call.startsWith('POST')).length,
    linkOf: async (charge) =>
      (await (await fetch(charge.checkout_url)).text()).match(/data-next="([^"]*)"/)![1],
  } as FailoverFixture;
  afterEach(async () => {
    await expectNoLeaks(fixture.stack);
    fixture.first.behaviour = 'working';
    await resetStack(fixture.stack);
    await fixture.first[Symbol.asyncDispose]();
  });
  after(async () => {
    for (const shared of stacks.values()) await shared[Symbol.asyncDispose]();
  });
  return fixture;

  async function start(breaker: Env['breaker'] = OPEN_FOR_LONG): Promise<void> {
    const shared = stacks.get(breaker) ?? (await startStack({ env: { slots, breaker } }));
    stacks.set(breaker, shared);
    const tenant = await shared.newTenant();
    const api = apiClient(shared.baseUrl, tenant.secret_key_test);
    fixture.stack = { ...shared, tenant, api };
    fixture.first = await faultyProvider(fixture.stack, 'provider_a');
  }

  async function openBreakers(): Promise<string[]> {
    const { context, tenant } = fixture.stack;
    const rows = await context.db.query<{ slot: string }>(
      'select slot from connections where id = any($1) and tenant_id = $2',
      [context.openBreakers(), tenant.tenant_id],
    );
    return rows.map(({ slot }) => slot);
  }

  async function openFirstBreaker(): ReturnType<typeof newCharge> {
    const { stack, first } = fixture;
    first.behaviour = 'failing';
    const charge = await newCharge(stack, { provider: 'provider_a' });
    await stack.settle();
    for (let round = 0; round < 3; round++) await stack.pass(10 * SECOND);
    return charge;
  }
}
