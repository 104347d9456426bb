import { LRUCache } from 'lru-cache';
import type { StoredConnection } from '../domain/accounts/connection/connection.ts';
import { type Breaker, type BreakerRules, createBreaker } from '../domain/providers/breaker.ts';
import { type CallKind, limitsFor } from '../domain/providers/budget.ts';
import { guard } from '../domain/providers/guard.ts';
import { type Provider, ProviderError } from '../domain/providers/provider.ts';
import { trackCredentials } from '../domain/providers/refused-credentials.ts';
import type { Mode } from '../domain/shared/reader.ts';
import type { LimitStore } from './limit-store.ts';
import { createLimits, type Limits } from './limits.ts';
import type { Logger } from './logger.ts';
import type { Budgets } from './provider-budgets.ts';
import type { RateLimit } from './rate-limits.ts';

/**
 * Guards calls to providers: budgets that all processes share, and a circuit breaker per
 * connection.
 */
export interface ProviderCalls extends AsyncDisposable {
  /** The provider behind the connection's budget and breaker. */
  guarded(connection: StoredConnection, provider: Provider): Provider;
  /** The connections whose breaker is open in this process. */
  openBreakers(): string[];
  /** True when the connection's breaker lets one trial call through. */
  isHalfOpen(connectionId: string): boolean;
}

export interface ProviderCallsOptions {
  budgets: Budgets;
  breaker: BreakerRules;
  processes: number;
  log: Logger;
  clock: () => Date;
  /** Records whether the provider accepts a connection's credentials. */
  recordCredentials(connection: StoredConnection, areRefused: boolean): Promise<void>;
}

/**
 * Longer than for a request of the API: mostly workers wait, and the shared count is the accurate
 * one.
 */
const STORE_TIMEOUT_MS = 1_000;
/** A breaker that was not used for long is closed anyway. */
const MAX_BREAKERS = 1_000;

/** Counts in the store, and leaves it open. */
export function createProviderCalls(
  store: LimitStore,
  { budgets, breaker: rules, processes, log, clock, recordCredentials }: ProviderCallsOptions,
): ProviderCalls {
  const borrowed: LimitStore = { ...store, [Symbol.asyncDispose]: async () => {} };
  const limitRules: Record<string, RateLimit> = {};
  const limits = createLimits(borrowed, {
    rules: limitRules,
    processes,
    log,
    storeTimeoutMs: STORE_TIMEOUT_MS,
  });
  const breakers = new LRUCache<string, Breaker>({
    max: MAX_BREAKERS,
    dispose: (breaker) => breaker[Symbol.dispose](),
  });
  const breakerOf = (id: string): Breaker => {
    const known = breakers.get(id);
    if (known) return known;
    const breaker = createBreaker(rules, () => performance.now());
    breakers.set(id, breaker);
    return breaker;
  };

  return {
    guarded(connection, provider) {
      const { id, adapter, mode, sandbox } = connection;
      const owner = sandbox ? 'sandbox' : adapter;
      const budget = budgets[owner]?.[mode as Mode];
      const spend = async (kind: CallKind, stage: string) => {
        if (!budget) return;
        const needed = limitsFor(`${owner}.${mode}`, budget, kind);
        Object.assign(limitRules, needed);
        await takeFromAll(limits, Object.keys(needed), id, stage);
      };
      const credentials = trackCredentials(clock, {
        wereRefused: connection.credentials_refused_at !== null,
        onChange: (areRefused) => {
          log.warn(areRefused ? 'credentials refused' : 'credentials accepted', { connection: id });
          recordCredentials(connection, areRefused).catch((error: Error) =>
            log.error('credentials not recorded', { connection: id, error: error.message }),
          );
        },
      });
      return guard(provider, { breakerOf: () => breakerOf(id), rules, spend, credentials });
    },
    isHalfOpen: (id) => breakers.peek(id)?.isHalfOpen() ?? false,
    openBreakers: () =>
      [...breakers.entries()].filter(([, breaker]) => breaker.isOpen()).map(([id]) => id),
    async [Symbol.asyncDispose]() {
      breakers.clear();
      await limits[Symbol.asyncDispose]();
    },
  };
}

/** Takes a point from every limit, or none from any. */
async function takeFromAll(
  limits: Limits<string>,
  names: readonly string[],
  connectionId: string,
  stage: string,
): Promise<void> {
  for (const [index, name] of names.entries()) {
    const { allowed, resetMs } = await limits.take(name, connectionId);
    if (allowed) continue;
    await Promise.all(names.slice(0, index).map((taken) => limits.giveBack(taken, connectionId)));
    const message = 'nothing was sent: the budget of calls a minute of this connection is used up';
    throw new ProviderError('limited', stage, message, { retryAfterMs: resetMs });
  }
}
