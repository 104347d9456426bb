import type { Context } from '../config/context.ts';
import type { JobData } from '../config/queues/queues.ts';
import { type Job, type QueueSpec, queues, type RowQueue } from '../domain/jobs.ts';
import { type Ending, textOf } from './endings.ts';
import type { JobHandler } from './job-handler.ts';
import { createJobLoop, type JobLoop } from './job-loop.ts';
import type { Pauses } from './pauses.ts';

export interface Pool extends Pick<JobLoop, 'beginLater' | 'isWaiting' | 'isIdle' | 'close'> {
  queue: RowQueue;
}

/** Jobs whose rows find no slot end at once, so they hold up no others in the queue. */
const MORE_JOBS_THAN_ROWS = 10;

/**
 * Starts the workers of a queue: they learn of due rows by jobs, from this process's transactions
 * where rows are handed over, and by the sweeper of all pools.
 */
export function startPool(context: Context, handler: JobHandler, pauses: Pauses): Pool {
  const { queue } = handler;
  const { isHandedOver = false, concurrency }: QueueSpec = queues[queue];
  const loop = createJobLoop(context, handler);
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
    ? context.dispatcher.handOver(queue, (jobs) =>
        pauses.isKnownToRun(queue) ? take(loop, jobs) : jobs,
      )
    : undefined;
  const waking = context.onRecovery(loop.wake);
  return {
    ...{ queue, beginLater: loop.beginLater, isWaiting: loop.isWaiting, isIdle: loop.isIdle },
    async close() {
      handedOver?.[Symbol.dispose]();
      waking[Symbol.dispose]();
      await Promise.all([worker.close(), loop.close()]);
    },
  };
}

function take(loop: JobLoop, jobs: readonly Job[]): Job[] {
  const byGroup = Map.groupBy(jobs, ({ group }) => group);
  const left = [...byGroup].filter(([group, { length }]) => length > loop.room(group));
  void loop.begin([...byGroup.keys()]).catch(() => {}); // a sweep finds what was not claimed
  return left.flatMap(([, ofGroup]) => ofGroup);
}

function countsOf(endings: readonly Ending[]): Record<string, number> {
  const groups = Map.groupBy(endings, ({ outcome }) => outcome);
  return Object.fromEntries([...groups].map(([outcome, { length }]) => [outcome, length]));
}
