import { LRUCache } from 'lru-cache';
import type { Outcomes } from '../../domain/providers/guard/breaker.ts';
import type { LimitStore } from '../limits/limit-store.ts';

export type ShareOutcomes = (
  connectionId: string,
  hasFailed: boolean,
) => Promise<Outcomes | undefined>;

const MAX_CONNECTIONS = 1_000;
/** Points of a failure, so that one counter holds both; more than the calls of a window. */
const FAILED = 100_000;

/**
 * Counts what all processes see of a connection within a window. What was answered is told with the
 * next failure, so that a provider that works costs nothing. Never fails: undefined while the store
 * is away, and after an answer.
 */
export function shareOutcomes(store: LimitStore, windowMs: number): ShareOutcomes {
  const answered = new LRUCache<string, number>({
    ...{ maxSize: MAX_CONNECTIONS, sizeCalculation: () => 1 },
    ...{ ttl: windowMs, noUpdateTTL: true },
  });
  return async (id, hasFailed) => {
    const calls = (answered.get(id) ?? 0) + 1;
    if (!hasFailed) {
      answered.set(id, calls);
      return undefined;
    }
    answered.delete(id);
    return store.add(`breaker:${id}`, FAILED + calls, windowMs).then(
      ({ consumed }) => ({ calls: consumed % FAILED, failed: Math.floor(consumed / FAILED) }),
      () => undefined,
    );
  };
}
