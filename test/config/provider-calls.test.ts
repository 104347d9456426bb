import { expect } from 'chai';
import winston from 'winston';
import { openLimitStore } from '../../config/limit-store.ts';
import { budgets } from '../../config/provider-budgets.ts';
import { createProviderCalls } from '../../config/provider-calls.ts';
import type { StoredConnection } from '../../domain/accounts/connection/connection.ts';
import { breakerRules } from '../../domain/providers/breaker.ts';
import { type Budget, limitsFor } from '../../domain/providers/budget.ts';
import { type Provider, ProviderError } from '../../domain/providers/provider.ts';
import { describeOnEachQueue } from '../support/each-queue.ts';
import { noSettlements } from '../support/no-settlements.ts';
import { type Counters, newCounters } from './limiter.ts';

const options = { timeoutMs: 8_000 };

describe('The budgets', () => {
  const limitsOf = (budget: Budget, kind: Parameters<typeof limitsFor>[2]) =>
    Object.entries(limitsFor('paystack.live', budget, kind)).map(([name, { points }]) => [
      name,
      points,
    ]);

  it('exist for every provider in both modes, and Paystack’s are those it publishes', () => {
    for (const adapter of ['paystack', 'flutterwave', 'monnify']) {
      for (const mode of ['live', 'test'] as const)
        expect(budgets[adapter]?.[mode]?.perMinute, `${adapter} ${mode}`).to.be.greaterThan(0);
    }
    expect(budgets.paystack).to.deep.equal({
      live: { perMinute: 600, separate: { create: 1_200, verify: 3_000 } },
      test: { perMinute: 100 },
    });
  });

  it('leave reads seventy percent, where the provider counts all calls together', () => {
    const test = { perMinute: 100 };
    for (const kind of ['create', 'refund'] as const)
      expect(limitsOf(test, kind)).to.deep.equal([['paystack.live.all', 100]]);
    for (const kind of ['verify', 'look up'] as const) {
      expect(limitsOf(test, kind)).to.deep.equal([
        ['paystack.live.reads', 70],
        ['paystack.live.all', 100],
      ]);
    }
  });

  it('have limits of their own for calls that the provider counts separately', () => {
    const live = budgets.paystack!.live!;
    expect(limitsOf(live, 'create')).to.deep.equal([['paystack.live.create', 1_200]]);
    expect(limitsOf(live, 'verify')).to.deep.equal([['paystack.live.verify', 3_000]]);
    expect(limitsOf(live, 'refund')).to.deep.equal([['paystack.live.all', 600]]);
  });
});

describeOnEachQueue('A connection’s budget', (queues) => {
  let counters: Counters;
  let scope: AsyncDisposableStack;
  beforeEach(async () => {
    counters = await newCounters(queues);
    scope = new AsyncDisposableStack();
  });
  afterEach(() => scope.disposeAsync());

  /** One process's way to a provider that answers everything, with what reached it. */
  async function processWith(perMinute: number) {
    const log = winston.createLogger({ silent: true });
    const store = scope.use(await openLimitStore({ ...counters, log }));
    const providerCalls = scope.use(
      createProviderCalls(store, {
        budgets: { paystack: { test: { perMinute } } },
        breaker: breakerRules,
        processes: 1,
        log,
        clock: () => new Date(0),
        recordCredentials: async () => {},
      }),
    );
    const reached: string[] = [];
    const call = (name: string) => async () => void reached.push(name);
    const names = ['create', 'verify', 'refund', 'findRefund', 'listRefunds', 'listDisputes'];
    const bare = {
      ...noSettlements,
      ...Object.fromEntries(names.map((name) => [name, call(name)])),
    } as unknown as Provider;
    const guard = (id: string, more: object = {}) =>
      providerCalls.guarded(
        {
          ...{ id, tenant_id: 'ten_1', mode: 'test', slot: 'provider_a', adapter: 'paystack' },
          ...{ credentials: '', sandbox: false, credentials_refused_at: null, disabled_at: null },
          ...more,
        } as StoredConnection,
        bare,
      );
    return { guard, reached, providerCalls };
  }

  const verify = (provider: Provider) =>
    provider.verify('SV-1', options).catch((error: ProviderError) => error);
  const create = (provider: Provider) =>
    provider.create({} as never, options).catch((error: ProviderError) => error);
  const refusals = (answers: unknown[]) =>
    answers.filter((answer): answer is ProviderError => answer instanceof ProviderError);
  const times = <T>(count: number, work: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, index) => work(index)));

  it('is shared by all processes, exactly', async () => {
    const [one, other] = [await processWith(50), await processWith(50)];
    const answers = await times(120, (index) => create((index % 2 ? one : other).guard('con_1')));
    expect(one.reached.length + other.reached.length).to.equal(50);
    const refused = refusals(answers);
    expect(refused).to.have.length(70);
    for (const { kind, retryAfterMs } of refused) {
      expect(kind).to.equal('limited');
      expect(retryAfterMs).to.be.within(1, 60_000);
    }
  });

  it('leaves room for creates, however many reads there are', async () => {
    const { guard, reached } = await processWith(100);
    const provider = guard('con_1');
    expect(refusals(await times(200, () => verify(provider)))).to.have.length(130);
    expect(refusals(await times(30, () => create(provider)))).to.deep.equal([]);
    expect(reached.filter((name) => name === 'verify')).to.have.length(70);
    expect(await kindOf(create(provider))).to.equal('limited');
  });

  it('leaves reads nothing that creates have used up', async () => {
    const { guard } = await processWith(100);
    const provider = guard('con_1');
    await times(100, () => create(provider));
    expect(refusals(await times(100, () => verify(provider)))).to.have.length(100);
  });

  it('is each connection’s own, and does not open its breaker', async () => {
    const { guard, providerCalls } = await processWith(10);
    await times(100, () => create(guard('con_1')));
    expect(refusals([await create(guard('con_2'))])).to.deep.equal([]);
    expect(providerCalls.openBreakers()).to.deep.equal([]);
  });

  it('limits nothing where none is set', async () => {
    const { guard, reached } = await processWith(10);
    await times(50, () => create(guard('con_1', { mode: 'live' })));
    expect(reached).to.have.length(50);
  });

  const kindOf = async (answer: Promise<unknown>) => ((await answer) as ProviderError).kind;
});
