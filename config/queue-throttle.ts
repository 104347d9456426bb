import type { Job, RowQueue } from '../domain/jobs.ts';
import type { Queues } from './queues.ts';

/** A queue with more jobs than this is long: its workers are too few, or stopped. */
const LONG_QUEUE = 2_000;
const PERIOD_MS = 1_000;
/** Fresh rows of one group that enter a long queue in a period. */
const MAX_PER_GROUP = 10;

/**
 * Keeps one group from filling a queue: while a queue is long, few fresh rows of each group are
 * enqueued. The sweeper, which shares by group, enqueues the others.
 */
export interface QueueThrottle {
  /** The jobs to enqueue. Reads the length of the queue along the way; nobody waits for it. */
  admit(queue: RowQueue, jobs: readonly Job[]): readonly Job[];
}

interface Period {
  startedMs: number;
  isLong: boolean;
  /** Fresh rows by group. */
  admitted: Map<string, number>;
}

export function createQueueThrottle(queues: Pick<Queues, 'all'>): QueueThrottle {
  const periods = new Map<RowQueue, Period>();

  const periodOf = (queue: RowQueue): Period => {
    const known = periods.get(queue);
    const nowMs = performance.now();
    if (known && nowMs - known.startedMs < PERIOD_MS) return known;
    const period = { startedMs: nowMs, isLong: known?.isLong ?? false, admitted: new Map() };
    periods.set(queue, period);
    void readLength(queue).then((length) => {
      period.isLong = length > LONG_QUEUE;
    });
    return period;
  };
  const readLength = async (queue: RowQueue): Promise<number> => {
    const counts = queues.all.get(queue)!.getJobCounts('waiting', 'prioritized');
    const { waiting = 0, prioritized = 0 } = await counts.catch((): Record<string, number> => ({}));
    return waiting + prioritized;
  };
  return {
    admit(queue, jobs) {
      const { isLong, admitted } = periodOf(queue);
      return jobs.filter(({ group, isSwept }) => {
        if (isSwept) return true;
        const count = (admitted.get(group) ?? 0) + 1;
        admitted.set(group, count);
        return !isLong || count <= MAX_PER_GROUP;
      });
    },
  };
}
