import { LRUCache } from 'lru-cache';
import type { StoredConnection } from '../domain/accounts/connection/connection.ts';
import { type Breaker, type BreakerRules, createBreaker } from '../domain/providers/breaker.ts';
import { type CallKind, guarded } from '../domain/providers/guarded.ts';
import { type Provider, ProviderError } from '../domain/providers/provider.ts';
import { type Budgets, type Pots, potsOf } from './budgets.ts';
import type { LimitStore } from './limit-store.ts';
import { createLimits, type Limits } from './limits.ts';
import type { Logger } from './logger.ts';

/** How providers are called: within budgets that hold across all processes, and not at all for a while when most calls fail. */
export interface Outward extends AsyncDisposable {
  /** The provider, called with this care. */
  guard(
    connection: Pick<StoredConnection, 'id' | 'adapter' | 'mode' | 'sandbox'>,
    provider: Provider,
  ): Provider;
  /** The connections that rest in this process just now. */
  resting(): string[];
  /** True for a connection whose rest is over, and which nobody has tried since. */
  isOnTrial(connectionId: string): boolean;
}

export interface OutwardOptions {
  budgets: Budgets;
  breaker: BreakerRules;
  processes: number;
  log: Logger;
}

/** No payer waits for this but in a worker: the budget is counted together as long as the store answers at all. */
const STORE_PATIENCE_MS = 1_000;
/** A breaker that has not been asked for long is closed, or may as well be. */
const MOST_BREAKERS = 1_000;

/** Counts on a store, which is left open. */
export function createOutward(
  store: LimitStore,
  { budgets, breaker: rules, processes, log }: OutwardOptions,
): Outward {
  const borrowed: LimitStore = { ...store, [Symbol.asyncDispose]: async () => {} };
  const pots: Pots = {};
  const limits = createLimits(borrowed, {
    rules: pots,
    processes,
    log,
    storePatienceMs: STORE_PATIENCE_MS,
  });
  const breakers = new LRUCache<string, Breaker>({
    max: MOST_BREAKERS,
    dispose: (breaker) => breaker[Symbol.dispose](),
  });
  const breakerOf = (id: string): Breaker => {
    const known = breakers.get(id);
    if (known) return known;
    const breaker = createBreaker(rules);
    breakers.set(id, breaker);
    return breaker;
  };

  return {
    guard(connection, provider) {
      const { id, adapter, mode, sandbox } = connection;
      const owner = sandbox ? 'sandbox' : adapter;
      const budget = budgets[owner]?.[mode];
      const spend = async (kind: CallKind, stage: string) => {
        if (!budget) return;
        const needed = potsOf(`${owner}.${mode}`, budget, kind);
        Object.assign(pots, needed);
        await spendOf(limits, Object.keys(needed), id, stage);
      };
      return guarded(provider, { breakerOf: () => breakerOf(id), rules, spend });
    },
    isOnTrial: (id) => breakers.peek(id)?.isOnTrial() ?? false,
    resting: () =>
      [...breakers.entries()].filter(([, breaker]) => breaker.isResting()).map(([id]) => id),
    async [Symbol.asyncDispose]() {
      breakers.clear();
      await limits[Symbol.asyncDispose]();
    },
  };
}

/** Takes a point of every pot, or none of any. */
async function spendOf(
  limits: Limits<string>,
  pots: readonly string[],
  connectionId: string,
  stage: string,
): Promise<void> {
  for (const [index, pot] of pots.entries()) {
    const { allowed, resetMs } = await limits.take(pot, connectionId);
    if (allowed) continue;
    await Promise.all(pots.slice(0, index).map((taken) => limits.giveBack(taken, connectionId)));
    throw new ProviderError(
      'limited',
      stage,
      'nothing was sent: the calls a minute of this connection are used up',
      {
        retryAfterMs: resetMs,
      },
    );
  }
}
