import type { BulkJobOptions } from 'bullmq';
import { type Job, type QueueSpec, queues as queueSpecs, type RowQueue } from '../domain/jobs.ts';
import { withDeadline } from './deadline.ts';
import type { Logger } from './logger.ts';
import type { JobData, Queues } from './queues.ts';

/** Rings jobs that a committed row promises. A ring that fails is logged and left to the sweeper: the row still says what is owed. */
export interface JobDispatcher {
  /** Returns at once; what is rung in one turn of the event loop goes out together. */
  enqueue(jobs: readonly Job[]): void;
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
const KEPT = {
  removeOnComplete: { age: 3_600, count: 1_000 },
  removeOnFail: { age: 24 * 3_600, count: 1_000 },
  attempts: 1,
};

export function createJobDispatcher(
  queues: Queues,
  clock: () => Date,
  log: Logger,
  callTimeoutMs = CALL_TIMEOUT_MS,
): JobDispatcher {
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
    const now = clock();
    const bulk = inJobs(jobs, (queueSpecs[name] as QueueSpec).rowsPerJob ?? 1, now).map(
      (sharing) => ({
        name,
        data: Object.fromEntries(sharing.map(({ id, tries }) => [id, tries])) satisfies JobData,
        opts: optionsOf(sharing, now),
      }),
    );
    try {
      await withDeadline(queues.all.get(name)!.addBulk(bulk), callTimeoutMs);
    } catch (error) {
      log.warn('jobs not enqueued; the sweeper will enqueue them', {
        queue: name,
        jobs: jobs.length,
        error: (error as Error).message,
      });
    }
  };

  return {
    enqueue(jobs) {
      if (waiting.length > MOST_WAITING)
        log.warn('jobs dropped; the sweeper will enqueue them', { jobs: jobs.length });
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

/** What is due at once shares jobs; what is due later has one of its own. */
function inJobs(jobs: readonly Job[], most: number, now: Date): Job[][] {
  const { later = [], now: dueNow = [] } = Object.groupBy(jobs, (job) =>
    delayOf(job, now) > 0 ? 'later' : 'now',
  );
  const shared = Array.from({ length: Math.ceil(dueNow.length / most) }, (_, n) =>
    dueNow.slice(n * most, (n + 1) * most),
  );
  return [...shared, ...later.map((job) => [job])];
}

const delayOf = ({ dueAt }: Job, now: Date) => (dueAt ? dueAt.getTime() - now.getTime() : 0);

/**
 * The id of a job with one row names row, try and ring: BullMQ ignores an id it has seen in any state, so that a repeated ring costs
 * nothing. Where rows share a job a repeated ring claims nothing, which is as harmless.
 */
function optionsOf([job, ...others]: Job[], now: Date): BulkJobOptions {
  const { id, tries, enqueues = 0 } = job!;
  const delayMs = delayOf(job!, now);
  return {
    ...KEPT,
    ...(others.length === 0 ? { jobId: `${id}-${tries}-${enqueues}` } : {}),
    ...(delayMs > 0 ? { delay: delayMs } : {}),
  };
}
