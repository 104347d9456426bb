import type { Context } from '../config/context.ts';
import { withDeadline } from '../config/deadline.ts';
import type { JobData } from '../config/queues/queues.ts';
import { type Job, type QueueSpec, queues } from '../domain/jobs.ts';
import { type DueGroups, findDueGroups } from '../domain/shared/due-groups.ts';
import type { Ending } from './endings.ts';
import type { JobHandler } from './job-handler.ts';
import { createJobLoop, type JobLoop } from './job-loop.ts';
import { repeat } from './repeat.ts';

/** The workers of one queue. */
export interface Pool {
  /** Begins nothing new and waits for what is in flight. */
  close(): Promise<void>;
  /** True: no row is in flight outside of a job or waits for a slot, and no sweep is under way. */
  isIdle(): boolean;
  /**
   * Begins with every group that has rows overdue by `overdueMs`, whether they had jobs or not.
   * Returns how many groups there are.
   */
  sweep(overdueMs: number): Promise<number>;
}

/**
 * Jobs whose rows find no slot end at once. So they never wait in the queue behind jobs that do
 * not, as long as a few more jobs than rows may be in progress.
 */
const MORE_JOBS_THAN_ROWS = 10;

/**
 * Starts the workers of one handler on its queue: they learn of due rows by jobs, from
 * transactions of this process where the queue's rows are handed over, and by sweeps of the table.
 * `sweeps`: false, in tests that sweep by themselves.
 */
export function startPool(context: Context, handler: JobHandler, { sweeps = true } = {}): Pool {
  const { queue } = handler;
  const { isHandedOver = false, concurrency }: QueueSpec = queues[queue];
  const loop = createJobLoop(context, handler);
  const pausing = watchPause(context, handler);
  const begin = async ({ data }: { data: Partial<JobData> }) => {
    // A job without a group was written by another version: a sweep finds its rows.
    const endings = data.group === undefined ? [] : await loop.begin([data.group]);
    const failed = endings.find(({ outcome }) => outcome === 'failed');
    if (failed) throw failed.error;
    return countsOf(endings);
  };
  const worker = context.queues.startWorker(queue, begin, {
    concurrency: concurrency + MORE_JOBS_THAN_ROWS,
    onError: (error) => context.log.warn('worker failed', { queue, error: error.message }),
  });
  const handedOver = isHandedOver
    ? context.dispatcher.handOver(queue, (jobs) => (pausing.isPaused() ? jobs : take(loop, jobs)))
    : undefined;
  const waking = context.onRecovery(loop.wake);
  const sweeper = startSweeper(context, handler, { loop, isPaused: pausing.isPaused, sweeps });
  return {
    async close() {
      pausing[Symbol.dispose]();
      handedOver?.[Symbol.dispose]();
      waking[Symbol.dispose]();
      await Promise.all([worker.close(), sweeper.close(), loop.close()]);
    },
    isIdle: () => loop.isIdle() && sweeper.isIdle(),
    sweep: sweeper.sweep,
  };
}

/** Begins with rows that were just made due. Returns the jobs of groups with too few slots. */
function take(loop: JobLoop, jobs: readonly Job[]): Job[] {
  const byGroup = Map.groupBy(jobs, ({ group }) => group);
  const left = [...byGroup].filter(([group, { length }]) => length > loop.room(group));
  void loop.begin([...byGroup.keys()]).catch(() => {}); // a sweep finds what was not claimed
  return left.flatMap(([, ofGroup]) => ofGroup);
}

/** So soon is it noticed that a queue is paused, where no job tells. */
const LOOK_EVERY_MS = 1_000;

/** Whether the queue is paused, as its store said last. */
function watchPause({ queues: opened }: Context, { queue }: JobHandler) {
  let isPaused = false;
  const look = async () => {
    isPaused = await opened.all.get(queue)!.isPaused();
  };
  // While the store does not answer, what it said last counts.
  const lookOrKeep = () => void look().catch(() => {});
  lookOrKeep();
  const looking = setInterval(lookOrKeep, LOOK_EVERY_MS).unref();
  return { isPaused: () => isPaused, [Symbol.dispose]: () => clearInterval(looking) };
}

/**
 * A row is swept when it is overdue by this much: its job was lost, or it had none because it was
 * due much later.
 */
const OVERDUE_MS = 1_000;
const SWEEP_EVERY_MS = 1_000;
/** While the queue store is away no job can arrive, and sweeps are what begins rows. */
const SWEEP_EVERY_MS_AWAY = 250;
/** A sweeper is busy for at most this share of the time, however many groups wait. */
const MAX_BUSY_SHARE = 0.1;
/** Groups that one statement looks at. */
const GROUPS_PER_PAGE = 500;
const TIMEOUT_MS = 15_000;

interface Swept {
  loop: JobLoop;
  isPaused: () => boolean;
  sweeps: boolean;
}

/** Sweeps the table of one queue again and again, never through the queue that it repairs. */
function startSweeper(
  { db, clock, log, queues: opened }: Context,
  { queue }: JobHandler,
  { loop, isPaused, sweeps }: Swept,
) {
  const stopping = new AbortController();
  let underWay = 0;
  const sweepPages = async (overdueMs: number) => {
    let found = 0;
    for (let after: string | null = ''; after !== null && !stopping.signal.aborted; ) {
      const before = new Date(clock().getTime() - overdueMs);
      const page: DueGroups = await withDeadline(
        findDueGroups(db, queue, before, { after, limit: GROUPS_PER_PAGE }),
        TIMEOUT_MS,
      );
      if (stopping.signal.aborted) break; // the loop begins nothing any more
      if (page.groups.length > 0) await loop.beginLater(page.groups);
      found += page.groups.length;
      after = page.next;
    }
    return found;
  };
  const sweep = async (overdueMs: number) => {
    if (isPaused()) return 0;
    underWay += 1;
    return sweepPages(overdueMs).finally(() => {
      underWay -= 1;
    });
  };
  const repetition = {
    ...{ everyMs: SWEEP_EVERY_MS_AWAY, maxBusyShare: MAX_BUSY_SHARE, signal: stopping.signal },
    onError: ({ message }: Error) => log.warn('sweep failed', { queue, error: message }),
  };
  let sweptMs = Number.NEGATIVE_INFINITY;
  const sweeping = repeat(repetition, async () => {
    const isAway = opened.outage.isAway();
    if (!isAway && (!sweeps || performance.now() - sweptMs < SWEEP_EVERY_MS)) return;
    sweptMs = performance.now();
    await sweep(isAway ? 0 : OVERDUE_MS);
  });
  return {
    sweep,
    isIdle: () => underWay === 0,
    async close() {
      stopping.abort();
      await sweeping;
    },
  };
}

function countsOf(endings: readonly Ending[]): Record<string, number> {
  const groups = Map.groupBy(endings, ({ outcome }) => outcome);
  return Object.fromEntries([...groups].map(([outcome, { length }]) => [outcome, length]));
}
