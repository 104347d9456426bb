import type { Context } from '../config/context.ts';
import { withDeadline } from '../config/deadline.ts';
import type { JobData } from '../config/queues/queues.ts';
import { type Job, type QueueSpec, queues } from '../domain/jobs.ts';
import { type DueGroups, findDueGroups } from '../domain/shared/due-groups.ts';
import { type Ending, textOf } from './endings.ts';
import type { JobHandler } from './job-handler.ts';
import { createJobLoop, type JobLoop } from './job-loop.ts';
import { repeat } from './repeat.ts';

export interface Pool {
  close(): Promise<void>;
  isIdle(): boolean;
  /** Begins every group with rows overdue by `overdueMs`, with jobs or not. Returns how many. */
  sweep(overdueMs: number): Promise<number>;
}

/** Jobs whose rows find no slot end at once, so they hold up no others in the queue. */
const MORE_JOBS_THAN_ROWS = 10;

/**
 * Starts the workers of a queue: they learn of due rows by jobs, from this process's transactions
 * where rows are handed over, and by sweeps. `sweeps`: false, in tests.
 */
export function startPool(context: Context, handler: JobHandler, { sweeps = true } = {}): Pool {
  const { queue } = handler;
  const { isHandedOver = false, concurrency }: QueueSpec = queues[queue];
  const loop = createJobLoop(context, handler);
  const pausing = watchPause(context, handler);
  const begin = async ({ data }: { data: Partial<JobData> }) => {
    // A job without groups was written by another version: a sweep finds its rows.
    const { groups = [], isSwept } = data;
    const endings = await loop.begin(groups, isSwept ? 'later' : 'first');
    const failed = endings.find(({ outcome }) => outcome === 'failed');
    if (failed) throw new Error(`${failed.row}: ${textOf(failed.error)}`);
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

function take(loop: JobLoop, jobs: readonly Job[]): Job[] {
  const byGroup = Map.groupBy(jobs, ({ group }) => group);
  const left = [...byGroup].filter(([group, { length }]) => length > loop.room(group));
  void loop.begin([...byGroup.keys()]).catch(() => {}); // a sweep finds what was not claimed
  return left.flatMap(([, ofGroup]) => ofGroup);
}

const LOOK_EVERY_MS = 1_000;

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

/** The job was lost, or there was none because the row was due much later. */
const OVERDUE_MS = 1_000;
const SWEEP_EVERY_MS = 1_000;
const SWEEP_EVERY_MS_AWAY = 250;
const MAX_BUSY_SHARE = 0.1;
const GROUPS_PER_PAGE = 500;
const TIMEOUT_MS = 15_000;

/**
 * Enqueues the groups that have overdue rows, and begins them itself while the queue store is away.
 * Groups that wait for a slot here need no job.
 */
function startSweeper(
  { db, clock, log, dispatcher, queues: opened }: Context,
  { queue }: JobHandler,
  { loop, isPaused, sweeps }: { loop: JobLoop; isPaused: () => boolean; sweeps: boolean },
) {
  const stopping = new AbortController();
  let underWay = 0;
  const enqueue = (groups: readonly string[]) => {
    const unknown = groups.filter((group) => !loop.isWaiting(group));
    dispatcher.enqueue(unknown.map((group) => ({ queue, group })));
    return dispatcher.idle();
  };
  const sweepPages = async (overdueMs: number, found: JobLoop['beginLater']) => {
    let count = 0;
    for (let after: string | null = ''; after !== null && !stopping.signal.aborted; ) {
      const before = new Date(clock().getTime() - overdueMs);
      const page: DueGroups = await withDeadline(
        findDueGroups(db, queue, before, { after, limit: GROUPS_PER_PAGE }),
        TIMEOUT_MS,
      );
      if (stopping.signal.aborted) break; // the loop begins nothing any more
      if (page.groups.length > 0) await found(page.groups);
      count += page.groups.length;
      after = page.next;
    }
    return count;
  };
  const sweep = async (overdueMs: number, found = loop.beginLater) => {
    if (isPaused()) return 0;
    underWay += 1;
    return sweepPages(overdueMs, found).finally(() => {
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
    await (isAway ? sweep(0) : sweep(OVERDUE_MS, enqueue));
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
