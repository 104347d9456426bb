import { expect } from 'chai';
import winston from 'winston';
import { type LimitStore, openLimitStore } from '../../../config/limits/limit-store.ts';
import { createMetrics } from '../../../config/observability/metrics.ts';
import { noTracing } from '../../../config/observability/tracing.ts';
import { budgets } from '../../../config/providers/provider-budgets.ts';
import { createProviderCalls } from '../../../config/providers/provider-calls.ts';
import { openRecoveries } from '../../../config/queues/recoveries.ts';
import type { StoredConnection } from '../../../domain/accounts/connection/connection.ts';
import { type BreakerRules, breakerRules } from '../../../domain/providers/guard/breaker.ts';
import {
  type Budget,
  type CallKind,
  limitsFor,
  type Priority,
} from '../../../domain/providers/port/budget.ts';
import type { CallOptions, Provider } from '../../../domain/providers/port/provider.ts';
import { ProviderError } from '../../../domain/providers/port/provider-error.ts';
import { createClock, HOUR, type TestClock } from '../../support/clock.ts';
import { describeOnEachQueue } from '../../support/each-queue.ts';
import { noSettlements } from '../../support/no-settlements.ts';
import { until } from '../../support/until.ts';
import { useCounters } from '../limits/limiter.ts';

const options = { timeoutMs: 8_000 };

describe('The budgets', () => {
  const limitsOf = (budget: Budget, kind: CallKind, priority: Priority) =>
    limitsFor('paystack.live', budget, kind, priority).map(
      ({ name, points, share }) => `${share} of ${points} ${name}`,
    );

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

  it('leave a reserve to creates and refunds, then to notifications, reads and payers', () => {
    const test = { perMinute: 100 };
    const sharesOf = (['send', 'notification', 'merchant', 'check'] as const).map((priority) =>
      limitsOf(test, 'verify', priority),
    );
    expect(sharesOf).to.deep.equal([1, 0.9, 0.7, 0.5].map((share) => [`${share} of 100 ${all}`]));
  });

  it('bound what strangers may cause: visits of a checkout, and charges by a public key', () => {
    const test = { perMinute: 100 };
    const ofPayers = [`1 of 20 ${all}.payer`, `0.6 of 100 ${all}`];
    expect(limitsOf(test, 'verify', 'payer')).to.deep.equal(ofPayers);
    const ofPublicKeys = [`1 of 40 ${all}.public`, `0.8 of 100 ${all}`];
    expect(limitsOf(test, 'create', 'public')).to.deep.equal(ofPublicKeys);
  });

  it('have limits of their own for calls that the provider counts separately', () => {
    const live = budgets.paystack!.live!;
    expect(limitsOf(live, 'create', 'send')).to.deep.equal(['1 of 1200 paystack.live.create']);
    expect(limitsOf(live, 'verify', 'check')).to.deep.equal(['0.5 of 3000 paystack.live.verify']);
    expect(limitsOf(live, 'refund', 'send')).to.deep.equal([`1 of 600 ${all}`]);
  });
});

const all = 'paystack.live.all';

describeOnEachQueue('A connection’s budget', (queues) => {
  const counters = useCounters(queues);
  let clock: TestClock;
  beforeEach(() => {
    clock = createClock();
    clock.stopAt(new Date(0));
  });

  async function processWith(perMinute: number, breaker: Partial<BreakerRules> = {}) {
    const log = winston.createLogger({ silent: true });
    const store = counters.scope.use(await openLimitStore({ ...counters, log }));
    const recoveries = counters.scope.use(await openRecoveries({ ...counters, log }));
    const counted: Promise<unknown>[] = [];
    const add: LimitStore['add'] = (...given) => {
      const answer = store.add(...given);
      counted.push(answer);
      return answer;
    };
    const providerCalls = counters.scope.use(
      createProviderCalls(
        { ...store, add },
        {
          budgets: { paystack: { test: { perMinute } } },
          breaker: { ...breakerRules, ...breaker },
          recoveries,
          processes: 1,
          log,
          clock,
          metrics: createMetrics(),
          tracing: noTracing,
          recordCredentials: async () => {},
          recordPause: async (_id, counter, until) => {
            recorded[counter] = until.toISOString();
          },
        },
      ),
    );
    const reached: string[] = [];
    const recorded: Record<string, string> = {};
    const at = { answer: async (): Promise<unknown> => ({}) };
    const call =
      (name: string) =>
      async (_asked: unknown, { spend }: CallOptions) => {
        await spend?.(name);
        reached.push(name);
        return at.answer();
      };
    const names = ['create', 'verify', 'refund', 'findRefund', 'listRefunds', 'listDisputes'];
    const bare = {
      ...noSettlements,
      ...Object.fromEntries(names.map((name) => [name, call(name)])),
    } as unknown as Provider;
    const guard = (id: string, more: object = {}, priority: Priority = 'send') => {
      const connection = {
        ...{ id, tenant_id: 'ten_1', mode: 'test', slot: 'provider_a', adapter: 'paystack' },
        ...{ credentials: '', sandbox: false, credentials_refused_at: null, disabled_at: null },
        ...{ calls_paused: null, ...more },
      } as StoredConnection;
      return providerCalls.guarded(connection, bare)(connection, priority);
    };
    return { guard, reached, recorded, at, providerCalls, counted };
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

  it('leaves the more important calls their reserve, whoever comes first', async () => {
    const { guard, reached } = await processWith(100);
    const ask = async (priority: Priority) => {
      const before = reached.length;
      await times(60, () => verify(guard('con_1', {}, priority)));
      return reached.length - before;
    };
    const priorities = [
      ...(['check', 'payer', 'list', 'merchant', 'public'] as const),
      ...(['notification', 'send'] as const),
    ];
    const granted = [];
    for (const priority of priorities) granted.push(await ask(priority));
    expect(granted).to.deep.equal([50, 10, 5, 5, 10, 10, 10]);
    const after = [];
    for (const priority of priorities) after.push(await ask(priority));
    expect(after).to.deep.equal([0, 0, 0, 0, 0, 0, 0]);
  });

  it('gives strangers no more than their part, however early they come', async () => {
    const { guard, reached } = await processWith(100);
    await times(100, () => verify(guard('con_1', {}, 'payer')));
    expect(reached.splice(0)).to.have.length(20);
    await times(100, () => create(guard('con_1', {}, 'public')));
    expect(reached.splice(0)).to.have.length(40);
    await times(100, () => verify(guard('con_1', {}, 'merchant')));
    expect(reached.splice(0)).to.have.length(10);
    await times(100, () => create(guard('con_1')));
    expect(reached).to.have.length(30);
  });

  it('pauses for as long as the provider’s 429 says, in every process, and opens no breaker', async () => {
    const [one, other] = [await processWith(100), await processWith(100)];
    one.at.answer = async () => {
      throw new ProviderError('limited', 'verify', 'too many requests', { retryAfterMs: 90_000 });
    };
    await verify(one.guard('con_1'));
    expect(one.recorded).to.deep.equal({ all: '1970-01-01T00:01:30.000Z' });
    one.at.answer = async () => ({});
    const paused = { calls_paused: one.recorded };
    const creates = { id: 'con_1', adapter: 'paystack', mode: 'test', sandbox: false } as const;
    expect(
      [one, other].map(({ providerCalls }) =>
        providerCalls.createPauseMs({ ...creates, ...paused }),
      ),
      'creates',
    ).to.deep.equal([90_000, 90_000]);
    clock.advance(60_000);
    for (const provider of [one.guard('con_1'), other.guard('con_1', paused)]) {
      const refused = (await create(provider)) as unknown as ProviderError;
      expect(refused).to.include({ kind: 'limited', retryAfterMs: 30_000, isOverBudget: true });
    }
    expect([one.reached, other.reached]).to.deep.equal([['verify'], []]);
    expect(refusals([await create(other.guard('con_2'))])).to.deep.equal([]);
    clock.advance(30_000);
    for (const provider of [one.guard('con_1'), other.guard('con_1', paused)])
      expect(refusals([await create(provider)])).to.deep.equal([]);
    expect(one.providerCalls.createPauseMs({ ...creates, ...paused })).to.equal(null);
    expect(one.providerCalls.openBreakers()).to.deep.equal([]);
  });

  it('is each connection’s own, and does not open its breaker', async () => {
    const { guard, providerCalls } = await processWith(10);
    await times(100, () => create(guard('con_1')));
    expect(refusals([await create(guard('con_2'))])).to.deep.equal([]);
    expect(providerCalls.openBreakers()).to.deep.equal([]);
  });

  type Process = Awaited<ReturnType<typeof processWith>>;
  const isOpen = ({ providerCalls }: Process) => providerCalls.openBreakers().length === 1;
  const fail = async (process: Process, count: number) => {
    process.at.answer = () => Promise.reject(new ProviderError('unknown', 'verify', 'no answer'));
    for (let failed = 0; failed < count; failed++) await verify(process.guard('con_1'));
  };

  it('goes with a breaker that opens for what all processes saw, at a failure of its own', async () => {
    const [one, other, third] = [
      ...[await processWith(100), await processWith(100), await processWith(100)],
    ] as const;
    for (let asked = 0; asked < 3; asked++) await verify(third.guard('con_1'));
    for (const each of [one, other]) await fail(each, 5);
    await Promise.all([...one.counted, ...other.counted]);
    for (const each of [one, other]) await fail(each, 1);
    await until('both to open', async () => isOpen(one) && isOpen(other));
    expect([one, other].map(({ reached }) => reached.length <= 6)).to.deep.equal([true, true]);
    expect(isOpen(third), 'what others say alone opens nothing').to.equal(false);
    await fail(third, 1);
    await until('the third to open', async () => isOpen(third));
  });

  it('goes with a breaker that stays closed while most calls of all processes are answered', async () => {
    const [one, other] = [await processWith(100), await processWith(100)];
    for (const each of [one, other]) {
      for (let asked = 0; asked < 5; asked++) await verify(each.guard('con_1'));
      await fail(each, 4);
      await Promise.all(each.counted);
    }
    expect([isOpen(one), isOpen(other)]).to.deep.equal([false, false]);
  });

  it('limits nothing where none is set', async () => {
    const { guard, reached } = await processWith(10);
    await times(50, () => create(guard('con_1', { mode: 'live' })));
    expect(reached).to.have.length(50);
  });

  if (queues === 'postgres') return;

  it('goes with a breaker that closes, and wakes what waits, when another process is answered', async () => {
    const one = await processWith(100, { openMs: 1 });
    const other = await processWith(100, { openMs: HOUR });
    const woken: string[] = [];
    for (const [name, { providerCalls }] of Object.entries({ one, other }))
      providerCalls.onRecovery((id) => void woken.push(`${id} in ${name}`));
    await fail(other, 10);
    expect(isOpen(other)).to.equal(true);
    await fail(one, 10);
    await until('it to be half-open', async () => one.providerCalls.isHalfOpen('con_1'));
    one.at.answer = async () => ({});
    await verify(one.guard('con_1'));
    await until('both to know', async () => woken.length === 2);
    expect(woken).to.deep.equal(['con_1 in one', 'con_1 in other']);
    expect(isOpen(other)).to.equal(false);
  });
});
