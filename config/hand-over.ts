import type { Job, RowQueue } from '../domain/jobs.ts';
import type { Queues } from './queues.ts';

/** Begins work on rows that are due. Returns the jobs whose rows it does not begin with. */
export type Take = (jobs: readonly Job[]) => readonly Job[];

/**
 * Gives fresh rows to workers of the same process, without a trip through the queue. The rows stay
 * due until they are claimed, so that the sweeper finds those of a process that ends.
 */
export interface HandOver {
  /** Fresh rows of the queue go to `take`, until it is disposed of. */
  register(queue: RowQueue, take: Take): Disposable;
  /** Returns the jobs that nobody took: they are to be enqueued. */
  offer(jobs: readonly Job[], now: Date): readonly Job[];
}

/** A queue that is paused in Bull Board is noticed this soon. */
const LOOK_EVERY_MS = 1_000;

export function createHandOver(queues: Pick<Queues, 'all'>): HandOver {
  const takers = new Map<RowQueue, Taker>();
  const isPaused = (queue: RowQueue, taker: Taker): boolean => {
    const nowMs = performance.now();
    if (nowMs - taker.lookedMs >= LOOK_EVERY_MS) {
      taker.lookedMs = nowMs;
      const looking = queues.all.get(queue)!.isPaused();
      void looking.then(
        (paused) => {
          taker.isPaused = paused;
        },
        () => {},
      );
    }
    return taker.isPaused;
  };
  return {
    register(queue, take) {
      const taker = { take, lookedMs: Number.NEGATIVE_INFINITY, isPaused: false };
      takers.set(queue, taker);
      return {
        [Symbol.dispose]() {
          takers.delete(queue);
        },
      };
    },
    offer(jobs, now) {
      if (takers.size === 0) return jobs;
      const isFresh = ({ isSwept, dueAt }: Job) => !isSwept && (!dueAt || dueAt <= now);
      const byQueue = Map.groupBy(jobs, (job) => (isFresh(job) ? job.queue : undefined));
      return [...byQueue].flatMap(([queue, ofQueue]) => {
        const taker = queue && takers.get(queue);
        return taker && !isPaused(queue, taker) ? taker.take(ofQueue) : ofQueue;
      });
    },
  };
}

interface Taker {
  take: Take;
  /** When it was last asked whether the queue is paused. */
  lookedMs: number;
  isPaused: boolean;
}
