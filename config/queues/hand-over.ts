import type { Job, RowQueue } from '../../domain/jobs.ts';
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

/** So soon is it noticed that a queue is paused, however few rows come. */
const LOOK_EVERY_MS = 1_000;

export function createHandOver(queues: Pick<Queues, 'all'>, lookEveryMs = LOOK_EVERY_MS): HandOver {
  const takers = new Map<RowQueue, Taker>();
  return {
    register(queue, take) {
      const taker = { take, isPaused: false };
      takers.set(queue, taker);
      const look = async () => {
        taker.isPaused = await queues.all.get(queue)!.isPaused();
      };
      // While the store of the queues does not answer, what it said last counts.
      const lookOrKeep = () => void look().catch(() => {});
      lookOrKeep();
      const looking = setInterval(lookOrKeep, lookEveryMs).unref();
      return {
        [Symbol.dispose]() {
          clearInterval(looking);
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
        return taker && !taker.isPaused ? taker.take(ofQueue) : ofQueue;
      });
    },
  };
}

interface Taker {
  take: Take;
  /** As the queue said last. */
  isPaused: boolean;
}
