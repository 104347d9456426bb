import type { Context } from '../config/context.ts';
import type { JobData } from '../config/queues/queues.ts';
import { type DueRow, type QueueSpec, queues } from '../domain/jobs.ts';
import type { Ending } from './endings.ts';
import type { JobHandler, Outcome } from './job-handler.ts';
import { createJobLoop, type GroupedRows, type JobLoop } from './job-loop.ts';
import { repeat } from './repeat.ts';

/** The workers of one queue. */
export interface Pool {
  /** Begins nothing new and waits for what is in flight. */
  close(): Promise<void>;
  /** True: no row is in flight outside of a job, and none waits for a slot. */
  isIdle(): boolean;
}

/**
 * Jobs whose rows find no slot end at once. So they never wait in the queue behind jobs that do
 * not, as long as a few more jobs than rows may be in progress.
 */
const MORE_JOBS_THAN_ROWS = 10;

/** Starts the workers of one handler on its queue. */
export function startPool(context: Context, handler: JobHandler): Pool {
  const { queue } = handler;
  const loop = createJobLoop(context, handler);
  const process = async ({ data }: { data: JobData }) => {
    // By their ids too: a claim of a group's next rows skips one that is locked for a moment.
    const claimingAll = data.swept ? loop.claimAll(Object.keys(data.groups)) : undefined;
    const [endings] = await Promise.all([loop.run(rowsOf(data)), claimingAll]);
    const failed = endings.find(({ outcome }) => outcome === 'failed');
    if (failed) throw failed.error;
    return countsOf(endings);
  };
  const worker = context.queues.startWorker(queue, process, {
    concurrency: queues[queue].concurrency + MORE_JOBS_THAN_ROWS,
    onError: (error) => context.log.warn('worker failed', { queue, error: error.message }),
  });
  const { isHandedOver = false } = queues[queue] as QueueSpec;
  const taking = isHandedOver ? context.dispatcher.handOver(queue, loop.take) : undefined;
  const waking = context.onRecovery(loop.wake);
  const stopping = new AbortController();
  const withoutJobs = {
    ...{ signal: stopping.signal, everyMs: LOOK_EVERY_MS, maxBusyShare: MAX_BUSY_SHARE },
    onError: ({ message }: Error) =>
      context.log.warn('due rows not found', { queue, error: message }),
  };
  const working = repeat(withoutJobs, async () => {
    if (context.queues.outage.isAway()) await loop.workWithoutJobs();
  });
  return {
    async close() {
      stopping.abort();
      taking?.[Symbol.dispose]();
      waking[Symbol.dispose]();
      await Promise.all([worker.close(), loop.close(), working]);
    },
    isIdle: loop.isIdle,
  };
}

/** While the queue store is away, due rows are looked for this often. */
const LOOK_EVERY_MS = 250;
const MAX_BUSY_SHARE = 0.25;

/**
 * The rows a job names. Anything else was written by another version: the sweeper enqueues those
 * rows again.
 */
function rowsOf({ groups }: Partial<JobData>): GroupedRows[] {
  return Object.entries(groups ?? {}).map(([group, rows]) => ({
    group,
    rows: Object.entries(rows).map(([id, tries]) => ({ id, tries })),
  }));
}

function countsOf(endings: readonly Ending[]): Record<string, number> {
  const groups = Map.groupBy(endings, ({ outcome }) => outcome);
  return Object.fromEntries([...groups].map(([outcome, { length }]) => [outcome, length]));
}

/**
 * Claims one row, handles it and settles it, once. Returns how the job ended; undefined where the
 * row cannot be claimed.
 */
export async function runJob(
  context: Context,
  handler: JobHandler,
  row: DueRow,
): Promise<Outcome['type'] | undefined> {
  const loop = loopFor(context, handler);
  const [ending] = await loop.run([{ group: 'one row', rows: [row] }]);
  if (ending?.outcome === 'failed') throw ending.error;
  return ending?.outcome;
}

/** Opening a loop costs more than a job of one row. */
const loops = new WeakMap<Context, Map<JobHandler, JobLoop>>();

function loopFor(context: Context, handler: JobHandler): JobLoop {
  const known = loops.get(context) ?? new Map<JobHandler, JobLoop>();
  loops.set(context, known);
  const loop = known.get(handler) ?? createJobLoop(context, handler);
  known.set(handler, loop);
  return loop;
}
