import type { BulkJobOptions } from 'bullmq';
import type { Job, RowQueue } from '../../domain/jobs.ts';
import { sha256Of } from '../../domain/shared/sha256.ts';
import { withDeadline } from '../deadline.ts';
import type { Logger } from '../logger.ts';
import type { JobData, Queues } from './queues.ts';

export type Take = (jobs: readonly Job[]) => readonly Job[];

/** Enqueues jobs of committed rows. Those that cannot be enqueued are logged and left to sweeps. */
export interface JobDispatcher {
  enqueue(jobs: readonly Job[]): void;
  /** A job that is due now goes to `take` first, without a job, until it is disposed of. */
  handOver(queue: RowQueue, take: Take): Disposable;
  idle(): Promise<void>;
  /** Sends what fits into one call and drops the rest, which sweeps find. */
  close(): Promise<void>;
}

/** Sweeps find what an outage of the queues drops. */
const MAX_WAITING = 20_000;
const MAX_PER_CALL = 500;
/** A sweep finds rows due later: queues hold the near future only. */
const SOON_MS = 5_000;
const DELAY_STEP_MS = 250;
/** A queue with more jobs gets none: its workers sweep. */
const LONG_QUEUE = 2_000;
const MEASURED_EVERY_MS = 1_000;
const MAX_NAMED = 20;
/** A store that takes longer counts as away, even if its connections stay open. */
const CALL_TIMEOUT_MS = 5_000;

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
  const takers = new Map<RowQueue, Take>();
  const isLong = watchLengths(queues);
  let flushing: Promise<void> | undefined;

  const flush = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const byQueue = Map.groupBy(waiting.splice(0, MAX_PER_CALL), ({ queue }) => queue);
      await Promise.all([...byQueue].map(([queue, jobs]) => add(queue, jobs)));
    }
    flushing = undefined;
  };
  const add = async (queue: RowQueue, jobs: Job[]) => {
    if (!queues.outage.mayCall() || isLong(queue)) return;
    try {
      const bulk = jobsOf(jobs, clock().getTime());
      await withDeadline(queues.all.get(queue)!.addBulk(bulk), callTimeoutMs);
      queues.outage.end();
    } catch (error) {
      queues.outage.begin(error as Error);
      log.warn('jobs not enqueued; a sweep will find their rows', {
        ...{ queue, jobs: jobs.length, error: (error as Error).message },
      });
    }
  };
  const offer = (jobs: readonly Job[], nowMs: number): readonly Job[] => {
    if (takers.size === 0) return jobs;
    const isTaken = ({ queue, id, dueAt }: Job) =>
      takers.has(queue) && id !== undefined && (!dueAt || dueAt.getTime() <= nowMs);
    const byTaker = Map.groupBy(jobs, (job) => (isTaken(job) ? job.queue : undefined));
    return [...byTaker].flatMap(([queue, ofQueue]) =>
      queue ? takers.get(queue)!(ofQueue) : ofQueue,
    );
  };

  return {
    enqueue(all) {
      const nowMs = clock().getTime();
      const soon = all.filter(({ dueAt }) => !dueAt || dueAt.getTime() <= nowMs + SOON_MS);
      const jobs = offer(soon, nowMs);
      if (waiting.length > MAX_WAITING)
        log.warn('jobs dropped; a sweep will find their rows', { jobs: jobs.length });
      else waiting.push(...jobs);
      if (waiting.length > 0) flushing ??= flush();
    },
    handOver(queue, take) {
      takers.set(queue, take);
      return { [Symbol.dispose]: () => void takers.delete(queue) };
    },
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

type NewJob = { name: string; data: JobData; opts: BulkJobOptions };

/** A job is held until the rows of all its groups have ended. */
const GROUPS_PER_JOB = 20;
/** The sweeps of all processes enqueue the same groups once in this time. */
const SWEPT_PERIOD_MS = 2_000;
/** Jobs without a priority come first. */
const SWEPT_PRIORITY = 1;

/**
 * Groups with rows due now share jobs, and so do those that a sweep found; a group has a job for
 * rows due at one later time. Ids make repeated jobs cost nothing: BullMQ ignores an id that exists
 * in any state.
 */
function jobsOf(jobs: readonly Job[], nowMs: number): NewJob[] {
  const {
    now = [],
    later = [],
    swept = [],
  } = Object.groupBy(jobs, ({ id, dueAt }) =>
    id === undefined ? 'swept' : dueAt && dueAt.getTime() > nowMs ? 'later' : 'now',
  );
  const stepOf = ({ dueAt }: Job) => Math.ceil(dueAt!.getTime() / DELAY_STEP_MS);
  const period = Math.floor((performance.timeOrigin + performance.now()) / SWEPT_PERIOD_MS);
  const delayed = Map.groupBy(later, (job) => `${job.group}-${stepOf(job)}`);
  const sweptId = (some: readonly Job[]) =>
    `${sha256Of(some.map(({ group }) => group).join())}-swept-${period}`;
  return [
    ...shared(now).map((some) => newJob(some)),
    ...[...delayed].map(([jobId, some]) =>
      newJob(some, { jobId, delay: stepOf(some[0]!) * DELAY_STEP_MS - nowMs }),
    ),
    ...shared(swept).map((some) =>
      newJob(some, { jobId: sweptId(some), priority: SWEPT_PRIORITY }),
    ),
  ];
}

/** The jobs of at most so many groups each, in the order of the first one of each group. */
function shared(jobs: readonly Job[]): Job[][] {
  const groups = Map.groupBy(jobs, ({ group }) => group).values();
  const some = Map.groupBy(groups, (_, n) => Math.floor(n / GROUPS_PER_JOB)).values();
  return [...some].map((each) => each.flat());
}

/** Named by its group, or by the first of several. */
function newJob(jobs: readonly Job[], opts: BulkJobOptions = {}): NewJob {
  const groups = [...new Set(jobs.map(({ group }) => group))];
  const rows = jobs.slice(0, MAX_NAMED).flatMap(({ id }) => id ?? []);
  const name = groups.length > 1 ? `${groups[0]} and ${groups.length - 1} more` : groups[0]!;
  const isSwept = opts.priority === SWEPT_PRIORITY;
  return { name, data: { groups, rows, isSwept }, opts: { ...JOB_OPTIONS, ...opts } };
}

function watchLengths(queues: Pick<Queues, 'all'>): (queue: RowQueue) => boolean {
  const measured = new Map<RowQueue, { atMs: number; isLong: boolean }>();
  const measure = async (queue: RowQueue) => {
    const counts = await queues.all.get(queue)!.getJobCounts('waiting', 'prioritized');
    measured.get(queue)!.isLong = (counts.waiting ?? 0) + (counts.prioritized ?? 0) > LONG_QUEUE;
  };
  return (queue) => {
    const known = measured.get(queue) ?? { atMs: Number.NEGATIVE_INFINITY, isLong: false };
    const atMs = performance.now();
    if (atMs - known.atMs >= MEASURED_EVERY_MS) {
      measured.set(queue, { ...known, atMs });
      void measure(queue).catch(() => {});
    }
    return known.isLong;
  };
}
