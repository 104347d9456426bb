import type { BulkJobOptions } from 'bullmq';
import {
  type Job,
  type QueueSpec,
  queues as queueSpecs,
  type RowQueue,
} from '../../domain/jobs.ts';
import { withDeadline } from '../deadline.ts';
import type { Logger } from '../logger.ts';
import { createHandOver, type Take } from './hand-over.ts';
import { createQueueThrottle } from './queue-throttle.ts';
import type { JobData, Queues } from './queues.ts';

/**
 * Enqueues the jobs of committed rows. Jobs that cannot be enqueued are logged and left to the
 * sweeper, because their rows stay due.
 */
export interface JobDispatcher {
  /** Returns at once. The jobs of one turn of the event loop are sent together. */
  enqueue(jobs: readonly Job[]): void;
  /** Lets workers of this process begin with fresh rows of a queue at once, without a job. */
  handOver(queue: RowQueue, take: Take): Disposable;
  /** Resolves when no call to the queues is in flight. */
  idle(): Promise<void>;
  /** Sends what fits into one call and drops the rest, which the sweeper enqueues. */
  close(): Promise<void>;
}

/** At most this many jobs wait, during an outage of the queues. The sweeper enqueues the others. */
const MAX_WAITING = 20_000;
const MAX_PER_CALL = 500;
/**
 * A row that is due later than this gets no job: the sweeper enqueues it when it is due, so that
 * the queues hold the near future only.
 */
const SOON_MS = 5_000;
/**
 * A store that takes longer counts as not reachable, even if its connections stay open.
 */
const CALL_TIMEOUT_MS = 5_000;

/** How long finished jobs stay visible in Bull Board. */
const JOB_OPTIONS = {
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
  const throttle = createQueueThrottle(queues);
  const handOver = createHandOver(queues);
  let flushing: Promise<void> | undefined;

  const flush = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) await send(waiting.splice(0, MAX_PER_CALL));
    flushing = undefined;
  };
  const send = async (jobs: Job[]) => {
    const byQueue = Map.groupBy(jobs, (job) => job.queue);
    await Promise.all([...byQueue].map(([queue, group]) => add(queue, group)));
  };
  const add = async (name: RowQueue, all: Job[]) => {
    if (!queues.outage.mayCall()) return;
    const now = clock();
    const jobs = throttle.admit(name, all);
    const bulk = groupRows(jobs, name, now).map((rows) => ({
      name,
      data: dataOf(rows),
      opts: optionsOf(rows, now),
    }));
    try {
      await withDeadline(queues.all.get(name)!.addBulk(bulk), callTimeoutMs);
      queues.outage.end();
    } catch (error) {
      queues.outage.begin(error as Error);
      log.warn('jobs not enqueued; the sweeper will enqueue them', {
        queue: name,
        jobs: jobs.length,
        error: (error as Error).message,
      });
    }
  };

  return {
    enqueue(all) {
      const now = clock();
      const soonMs = now.getTime() + SOON_MS;
      const soon = all.filter(({ dueAt }) => !dueAt || dueAt.getTime() <= soonMs);
      const jobs = handOver.offer(soon, now);
      if (waiting.length > MAX_WAITING)
        log.warn('jobs dropped; the sweeper will enqueue them', { jobs: jobs.length });
      else waiting.push(...jobs);
      if (waiting.length > 0) flushing ??= flush();
    },
    handOver: handOver.register,
    async idle() {
      while (flushing) await flushing;
    },
    async close() {
      const inFlight = flushing;
      waiting.splice(MAX_PER_CALL);
      await inFlight;
    },
  };
}

/** Rows of one job of the sweeper: after the loss of a queue there are many. */
const SWEPT_ROWS_PER_JOB = 50;

/**
 * Groups rows that are due now, at most `rowsPerJob` in one job. A row that is due later has its
 * own.
 */
function groupRows(jobs: readonly Job[], queue: RowQueue, now: Date): Job[][] {
  const { rowsPerJob = 1 } = queueSpecs[queue] as QueueSpec;
  const {
    later = [],
    swept = [],
    fresh = [],
  } = Object.groupBy(jobs, (job) => {
    if (delayOf(job, now) > 0) return 'later';
    return job.isSwept ? 'swept' : 'fresh';
  });
  return [
    ...chunksOf(fresh, rowsPerJob),
    ...chunksOf(swept, SWEPT_ROWS_PER_JOB),
    ...later.map((job) => [job]),
  ];
}

function chunksOf(jobs: readonly Job[], size: number): Job[][] {
  return Array.from({ length: Math.ceil(jobs.length / size) }, (_, n) =>
    jobs.slice(n * size, (n + 1) * size),
  );
}

function dataOf(rows: readonly Job[]): JobData {
  const groups: JobData['groups'] = {};
  for (const { id, tries, group } of rows) {
    groups[group] ??= {};
    groups[group][id] = tries;
  }
  return rows[0]!.isSwept ? { groups, swept: true } : { groups };
}

const delayOf = ({ dueAt }: Job, now: Date) => (dueAt ? dueAt.getTime() - now.getTime() : 0);

/** Jobs without a priority come first: fresh ones. */
const SWEPT_PRIORITY = 1;

/**
 * The id of a job with one row names the row, its tries, its enqueues and, where it is due later,
 * its time: BullMQ ignores an id that exists in any state, so a repeated job costs nothing, and a
 * row that becomes due earlier has a job of its own. A job with several rows may be repeated: it
 * claims nothing the second time.
 */
function optionsOf([job, ...others]: Job[], now: Date): BulkJobOptions {
  const { id, tries, enqueues = 0, dueAt, isSwept } = job!;
  const delayMs = delayOf(job!, now);
  const time = delayMs > 0 ? `-${dueAt!.getTime()}` : '';
  return {
    ...JOB_OPTIONS,
    ...(others.length === 0 ? { jobId: `${id}-${tries}-${enqueues}${time}` } : {}),
    ...(delayMs > 0 ? { delay: delayMs } : {}),
    ...(isSwept ? { priority: SWEPT_PRIORITY } : {}),
  };
}
