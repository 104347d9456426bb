import { LRUCache } from 'lru-cache';
import type { StoredConnection } from '../../domain/accounts/connection/connection.ts';
import {
  type Breaker,
  type BreakerRules,
  type CountForAll,
  createBreaker,
} from '../../domain/providers/guard/breaker.ts';
import { type Guards, guard } from '../../domain/providers/guard/guard.ts';
import { trackCredentials } from '../../domain/providers/guard/refused-credentials.ts';
import {
  type Budget,
  type CallKind,
  type CallLimit,
  counterOf,
  limitsFor,
  type Priority,
} from '../../domain/providers/port/budget.ts';
import type { Provider } from '../../domain/providers/port/provider.ts';
import { ProviderError } from '../../domain/providers/port/provider-error.ts';
import type { Mode } from '../../domain/shared/reader.ts';
import type { LimitStore } from '../limits/limit-store.ts';
import type { Standing } from '../limits/limit-window.ts';
import { createLimits, type Limits } from '../limits/limits.ts';
import type { RateLimit } from '../limits/rate-limits.ts';
import type { Logger } from '../logger.ts';
import type { CallTarget, Metrics, ReadGauge } from '../observability/metrics.ts';
import type { Tracing } from '../observability/tracing.ts';
import type { Recoveries } from '../queues/recoveries.ts';
import { createCallPauses } from './call-pauses.ts';
import { createLowestBudgets } from './lowest-budgets.ts';
import { observeCall } from './observe-call.ts';
import type { Budgets } from './provider-budgets.ts';
import { shareOutcomes } from './shared-outcomes.ts';

/** Guards calls: budgets that all processes share, and a circuit breaker per connection. */
export interface ProviderCalls extends AsyncDisposable {
  guarded(connection: StoredConnection, provider: Provider): ProviderFor;
  openBreakers(): string[];
  /** How long the connection's provider takes no creates, as it said, in ms; null: it does. */
  createPauseMs(connection: LimitedConnection): number | null;
  isHalfOpen(connectionId: string): boolean;
  /** Tells which connection's breaker has closed, in any process. The listener must not throw. */
  onRecovery(listener: (connectionId: string) => void): Disposable;
}

export type LimitedConnection = Pick<
  StoredConnection,
  'id' | 'adapter' | 'mode' | 'sandbox' | 'calls_paused'
>;

/** The row is as it is now: its pause counts. */
export type ProviderFor = (connection: StoredConnection, priority: Priority) => Provider;

/** Mostly workers wait, and the shared count is the accurate one. */
const STORE_TIMEOUT_MS = 1_000;
const UNLIMITED: Budget = { perMinute: Number.POSITIVE_INFINITY };
const MAX_BREAKERS = 1_000;

export function createProviderCalls(
  store: LimitStore,
  options: {
    budgets: Budgets;
    breaker: BreakerRules;
    /** Alone, each process makes this part of the calls of a budget. */
    processes: number;
    log: Logger;
    clock: () => Date;
    metrics: Pick<Metrics, 'recordProviderCall' | 'addGauge'>;
    tracing: Tracing;
    recoveries: Pick<Recoveries, 'tell' | 'onTold'>;
    recordCredentials(connection: StoredConnection, areRefused: boolean): Promise<void>;
    recordPause(connectionId: string, counter: string, until: Date): Promise<void>;
  },
): ProviderCalls {
  const { budgets, breaker: rules, processes, log, clock, metrics, recoveries } = options;
  const borrowed: LimitStore = { ...store, [Symbol.asyncDispose]: async () => {} };
  const limitRules: Record<string, RateLimit> = {};
  const limits = createLimits(borrowed, {
    rules: limitRules,
    processes,
    log,
    storeTimeoutMs: STORE_TIMEOUT_MS,
  });
  const breakers = new LRUCache<string, KnownBreaker>({
    max: MAX_BREAKERS,
    dispose: ({ breaker }) => breaker[Symbol.dispose](),
  });
  const countOutcome = shareOutcomes(store, rules.windowMs);
  const listeners = new Set<(connectionId: string) => void>();
  const recovered = (id: string) => {
    for (const listener of listeners) listener(id);
  };
  recoveries.onTold((id) => {
    breakers.peek(id)?.breaker.close();
    recovered(id);
  });
  const lowest = createLowestBudgets(clock);
  metrics.addGauge(breakersGauge(() => breakers.values()));
  metrics.addGauge(budgetsGauge(lowest.read));
  const pauses = createCallPauses(clock);
  const breakerOf = (id: string, target: CallTarget): Breaker => {
    const known = breakers.get(id);
    if (known) return known.breaker;
    const onRecovery = () => {
      log.info('provider answers again', { connection: id });
      recoveries.tell(id);
      recovered(id);
    };
    const countForAll: CountForAll = (hasFailed) => countOutcome(id, hasFailed);
    const onOpen = (error: string) =>
      log.warn('provider not called for a while', { connection: id, ...target, error });
    const breaker = createBreaker(rules, () => performance.now(), onRecovery, countForAll, onOpen);
    breakers.set(id, { breaker, target });
    return breaker;
  };

  return {
    guarded(connection, provider) {
      const { id, adapter, mode, sandbox } = connection;
      const { owner, budget } = budgetOf(budgets, connection);
      const target = { provider: adapter, mode: sandbox ? 'sandbox' : mode };
      const spend = async (kind: CallKind, stage: string, priority: Priority) => {
        const waitMs = pauses.waitMs(id, counterOf(budget, kind));
        if (waitMs !== null)
          throw overBudget(stage, 'the provider takes no more calls for now', waitMs);
        if (budget === UNLIMITED) return;
        const needed = limitsFor(`${owner}.${mode}`, budget, kind, priority);
        for (const { name, points, windowMs } of needed) limitRules[name] = { points, windowMs };
        await takeFromAll(limits, needed, id, stage, (left) => lowest.learn(target, left));
      };
      const pause = (kind: CallKind, forMs: number) => {
        const counter = counterOf(budget, kind);
        const until = new Date(clock().getTime() + forMs);
        if (!pauses.begin(id, counter, until)) return;
        log.warn('provider takes no more calls', { connection: id, counter, until });
        options
          .recordPause(id, counter, until)
          .catch((error: Error) =>
            log.error('pause of calls not recorded', { connection: id, error: error.message }),
          );
      };
      const credentials = trackCredentials(clock, {
        wereRefused: connection.credentials_refused_at !== null,
        onChange: (areRefused) => {
          log.warn(areRefused ? 'credentials refused' : 'credentials accepted', { connection: id });
          options
            .recordCredentials(connection, areRefused)
            .catch((error: Error) =>
              log.error('credentials not recorded', { connection: id, error: error.message }),
            );
        },
      });
      const guards: Omit<Guards, 'spend'> = {
        ...{ breakerOf: () => breakerOf(id, target), rules, pause, credentials },
        observe: (operation, ask) => observeCall(options, target, operation, ask),
      };
      return (current, priority) => {
        pauses.learn(current);
        return guard(provider, { ...guards, spend: (kind, stage) => spend(kind, stage, priority) });
      };
    },
    createPauseMs(connection) {
      pauses.learn(connection);
      return pauses.waitMs(
        connection.id,
        counterOf(budgetOf(budgets, connection).budget, 'create'),
      );
    },
    isHalfOpen: (id) => breakers.peek(id)?.breaker.isHalfOpen() ?? false,
    openBreakers: () =>
      [...breakers.entries()].filter(([, { breaker }]) => breaker.isOpen()).map(([id]) => id),
    onRecovery(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    async [Symbol.asyncDispose]() {
      breakers.clear();
      await limits[Symbol.asyncDispose]();
    },
  };
}

function budgetOf(
  budgets: Budgets,
  { adapter, mode, sandbox }: Pick<StoredConnection, 'adapter' | 'mode' | 'sandbox'>,
): { owner: string; budget: Budget } {
  const owner = sandbox ? 'sandbox' : adapter;
  return { owner, budget: budgets[owner]?.[mode as Mode] ?? UNLIMITED };
}

type KnownBreaker = { breaker: Breaker; target: CallTarget };

function breakersGauge(known: () => Iterable<KnownBreaker>): ReadGauge {
  return {
    name: 'pcs_breakers',
    help: 'Connections whose circuit breaker is open or half-open in this process.',
    labels: ['provider', 'mode', 'state'],
    read() {
      const counts = new Map<string, [Record<string, string>, number]>();
      for (const { breaker, target } of known())
        for (const state of ['open', 'half-open']) {
          const key = `${target.provider} ${target.mode} ${state}`;
          const [labels, count] = counts.get(key) ?? [{ ...target, state }, 0];
          const isIn = state === 'open' ? breaker.isOpen() : breaker.isHalfOpen();
          counts.set(key, [labels, count + Number(isIn)]);
        }
      return counts.values();
    },
  };
}

function budgetsGauge(lowest: () => [CallTarget, number][]): ReadGauge {
  return {
    name: 'pcs_provider_budget_left_ratio',
    help: 'Share of its calls a minute that the connection with the least left has, by provider.',
    labels: ['provider', 'mode'],
    read: () => lowest().map(([target, left]) => [{ ...target }, left]),
  };
}

/** Takes a point from every limit, or none from any. */
async function takeFromAll(
  limits: Limits<string>,
  needed: readonly CallLimit[],
  connectionId: string,
  stage: string,
  learn: (standing: Standing) => void,
): Promise<void> {
  for (const [index, { name, share }] of needed.entries()) {
    const standing = await limits.take(name, connectionId, share);
    const { allowed, resetMs } = standing;
    learn(standing);
    if (allowed) continue;
    const taken = needed.slice(0, index);
    await Promise.all(taken.map((each) => limits.giveBack(each.name, connectionId)));
    throw overBudget(stage, 'the budget of calls a minute of this connection is used up', resetMs);
  }
}

function overBudget(stage: string, why: string, retryAfterMs: number): ProviderError {
  const message = `nothing was sent: ${why}`;
  return new ProviderError('limited', stage, message, { retryAfterMs, isOverBudget: true });
}
