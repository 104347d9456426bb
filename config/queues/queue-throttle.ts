import type { Job, RowQueue } from '../../domain/jobs.ts';
import type { Queues } from './queues.ts';

/** A queue with more jobs than this is long: its workers are too few, or stopped. */
const LONG_QUEUE = 2_000;
const PERIOD_MS = 1_000;
/** Fresh rows of one group that enter a queue in a period, and those that enter a long queue. */
const MAX_PER_GROUP = 500;
const MAX_PER_GROUP_WHEN_LONG = 10;
/** Of the others one in so many gets a job as well, while the queue is short. */
const ONE_IN = 50;

/**
 * Keeps one group from filling a queue: of each group few fresh rows are enqueued in a period, and
 * fewer while the queue is long. The last of them, and some of the others, make their workers claim
 * the rest as slots come free; so does the sweeper, which shares by group.
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
      const most = isLong ? MAX_PER_GROUP_WHEN_LONG : MAX_PER_GROUP;
      return jobs.flatMap((job) => {
        if (job.isSwept) return job;
        const count = (admitted.get(job.group) ?? 0) + 1;
        admitted.set(job.group, count);
        if (count < most) return job;
        const isMarked = count === most || (!isLong && count % ONE_IN === 0);
        return isMarked ? { ...job, isSwept: true } : [];
      });
    },
  };
}
