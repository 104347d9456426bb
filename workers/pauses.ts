import { withDeadline } from '../config/deadline.ts';
import type { Queues } from '../config/queues/queues.ts';
import type { RowQueue } from '../domain/jobs.ts';

/** Which queues are paused. While the store does not answer, what it said last counts. */
export interface Pauses {
  isPaused(queue: RowQueue): Promise<boolean>;
  /** At once. False also where it is not known; it is then asked for. */
  isKnownToRun(queue: RowQueue): boolean;
  /** Asks ahead, where asking is cheap, for a time when the store does not answer. */
  learn(names: readonly RowQueue[]): Promise<void>;
}

/** Longer than between two sweeps. */
const FRESH_MS = 2_000;
const TIMEOUT_MS = 1_000;

type Known = { isPaused: boolean; askedMs: number };

export function watchPauses({ all, outage, kind }: Queues): Pauses {
  const known = new Map<RowQueue, Known>();
  const ask = async (queue: RowQueue) => {
    const askedMs = performance.now();
    const isPaused = await withDeadline(all.get(queue)!.isPaused(), TIMEOUT_MS);
    known.set(queue, { isPaused, askedMs });
  };
  const askOrKeep = (queue: RowQueue) => ask(queue).catch(() => {});
  const isFresh = (queue: RowQueue) =>
    outage.isAway() || performance.now() - (known.get(queue)?.askedMs ?? -FRESH_MS) < FRESH_MS;
  return {
    async isPaused(queue) {
      if (!isFresh(queue)) await askOrKeep(queue);
      return known.get(queue)?.isPaused ?? false;
    },
    isKnownToRun(queue) {
      if (isFresh(queue)) return known.get(queue)?.isPaused !== true;
      void askOrKeep(queue);
      return false;
    },
    async learn(names) {
      // A store that is the database would answer as many statements, and is away with the rows.
      if (kind === 'redis') await Promise.all(names.map(askOrKeep));
    },
  };
}
