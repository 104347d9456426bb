import type { BulkJobOptions } from 'bullmq';
import type { Job, RowQueue } from '../domain/jobs.ts';
import { withDeadline } from './deadline.ts';
import type { Logger } from './logger.ts';
import type { Queues } from './queues.ts';

/** Rings jobs that a committed row promises. A ring that fails is logged and left to the sweeper: the row still says what is owed. */
export interface Bell {
  /** Returns at once; what is rung in one turn of the event loop goes out together. */
  ring(jobs: readonly Job[]): void;
  /** Resolves when nothing is on its way to the queues. */
  idle(): Promise<void>;
  /** Sends what waits, as far as one call goes, and drops the rest: the sweeper has it. */
  close(): Promise<void>;
}

/** More than this many waiting rings mean that the queue store is away: the rest is the sweeper's. */
const MOST_WAITING = 20_000;
const MOST_IN_ONE_CALL = 500;
/** A store that takes longer is away, even if it never says so: the next ring must not wait behind this one. */
const CALL_TIMEOUT_MS = 5_000;

/** How long finished jobs stay to be looked at on the board. */
const KEPT = { removeOnComplete: { age: 3_600, count: 1_000 }, removeOnFail: { age: 24 * 3_600, count: 1_000 }, attempts: 1 };

export function createBell(queues: Queues, clock: () => Date, log: Logger, callTimeoutMs = CALL_TIMEOUT_MS): Bell {
  const waiting: Job[] = [];
  let flushing: Promise<void> | undefined;

  const flush = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) await send(waiting.splice(0, MOST_IN_ONE_CALL));
    flushing = undefined;
  };
  const send = async (jobs: Job[]) => {
    const byQueue = Map.groupBy(jobs, (job) => job.queue);
    await Promise.all([...byQueue].map(([queue, group]) => add(queue, group)));
  };
  const add = async (name: RowQueue, jobs: Job[]) => {
    const bulk = jobs.map((job) => ({ name, data: { id: job.id, tries: job.tries }, opts: optionsOf(job, clock()) }));
    try {
      await withDeadline(queues.all.get(name)!.addBulk(bulk), callTimeoutMs);
    } catch (error) {
      log.warn('bell not rung; the sweeper will', { queue: name, jobs: jobs.length, error: (error as Error).message });
    }
  };

  return {
    ring(jobs) {
      if (waiting.length > MOST_WAITING) log.warn('bell dropped; the sweeper will ring', { jobs: jobs.length });
      else waiting.push(...jobs);
      if (waiting.length > 0) flushing ??= flush();
    },
    async idle() {
      while (flushing) await flushing;
    },
    async close() {
      const inHand = flushing;
      waiting.splice(MOST_IN_ONE_CALL);
      await inHand;
    },
  };
}

/** The id names row, try and ring: BullMQ ignores an id it has seen in any state, which makes a repeated ring harmless. */
function optionsOf(job: Job, now: Date): BulkJobOptions {
  const delayMs = job.dueAt ? job.dueAt.getTime() - now.getTime() : 0;
  return { ...KEPT, jobId: `${job.id}-${job.tries}-${job.ring ?? 0}`, ...(delayMs > 0 ? { delay: delayMs } : {}) };
}
