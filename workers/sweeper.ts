import type { Context } from '../config/context.ts';
import { withDeadline } from '../config/deadline.ts';
import type { RowQueue } from '../domain/jobs.ts';
import { type DueGroups, findDueGroups } from '../domain/shared/due-groups.ts';
import type { Pauses } from './pauses.ts';
import type { Pool } from './pool.ts';
import { repeat } from './repeat.ts';

export interface Sweeper {
  /**
   * Begins every group of the pools with rows overdue by `overdueMs`, with jobs or not. Returns how
   * many.
   */
  sweep(overdueMs?: number): Promise<number>;
  isIdle(): boolean;
  close(): Promise<void>;
}

/** A sweep finds a row whose job was lost, or that had none because it was due much later. */
const OVERDUE_MS = 500;
/** A row waits for no longer than both together. */
const SWEEP_EVERY_MS = 1_500;
const SWEEP_EVERY_MS_AWAY = 250;
const MAX_BUSY_SHARE = 0.1;
const GROUPS_PER_PAGE = 500;
const TIMEOUT_MS = 15_000;

/**
 * One wake-up for all queues of a process. One of the processes with the same pools enqueues the
 * groups that have overdue rows; while the queue store is away, each begins them itself. `sweeps`:
 * false, in tests.
 */
export function startSweeper(
  context: Context,
  { pools, pauses, sweeps }: { pools: readonly Pool[]; pauses: Pauses; sweeps: boolean },
): Sweeper {
  const { db, clock, log, dispatcher, queues } = context;
  const byQueue = new Map(pools.map((pool) => [pool.queue, pool]));
  const names = [...byQueue.keys()];
  const lead = names.join(' ');
  const stopping = new AbortController();
  let underWay = 0;

  const enqueue = ({ queue, isWaiting }: Pool, groups: readonly string[]) => {
    const unknown = groups.filter((group) => !isWaiting(group));
    dispatcher.enqueue(unknown.map((group) => ({ queue, group })));
    return dispatcher.idle();
  };
  const begin = ({ beginLater }: Pool, groups: readonly string[]) => beginLater(groups);

  const pageOf = async (of: readonly RowQueue[], overdueMs: number, after?: string) => {
    const before = new Date(clock().getTime() - overdueMs);
    const page = { after, limit: GROUPS_PER_PAGE };
    const found = await withDeadline(findDueGroups(db, of, before, page), TIMEOUT_MS);
    return stopping.signal.aborted ? new Map<RowQueue, DueGroups>() : found;
  };
  const sweepQueues = async (of: readonly RowQueue[], overdueMs: number, found: typeof begin) => {
    const pages = await pageOf(of, overdueMs);
    const counts = await Promise.all(
      [...pages].map(async ([queue, first]) => {
        let count = 0;
        let page: DueGroups | undefined = (await pauses.isPaused(queue)) ? undefined : first;
        while (page) {
          if (page.groups.length > 0) await found(byQueue.get(queue)!, page.groups);
          count += page.groups.length;
          const { next }: DueGroups = page;
          page = next === null ? undefined : (await pageOf([queue], overdueMs, next)).get(queue);
        }
        return count;
      }),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  };
  const sweepEach = (overdueMs: number, found: typeof begin) =>
    Promise.all(
      names.map((queue) =>
        sweepQueues([queue], overdueMs, found).catch(({ message }: Error) => {
          log.warn('sweep failed', { queue, error: message });
          return 0;
        }),
      ),
    ).then((counts) => counts.reduce((sum, count) => sum + count, 0));
  const sweep = async (overdueMs = 0, found = begin) => {
    underWay += 1;
    try {
      return await sweepQueues(names, overdueMs, found).catch((error) => {
        if (!isOfOneQueue(error)) throw error;
        return sweepEach(overdueMs, found);
      });
    } finally {
      underWay -= 1;
    }
  };

  let isDue = false;
  const probe = async () => {
    isDue = (await queues.probe(lead)) && sweeps;
    if (!queues.outage.isAway()) await pauses.learn(names);
  };
  const probeOrKeep = () => void probe().catch(() => {});
  probeOrKeep();
  const probing = setInterval(probeOrKeep, SWEEP_EVERY_MS);
  const repetition = {
    ...{ everyMs: SWEEP_EVERY_MS_AWAY, maxBusyShare: MAX_BUSY_SHARE, signal: stopping.signal },
    onError: ({ message }: Error) => log.warn('sweep failed', { error: message }),
  };
  const sweeping = repeat(repetition, async () => {
    const isAway = queues.outage.isAway();
    if (!isAway && !isDue) return;
    isDue = false;
    await (isAway ? sweep() : sweep(OVERDUE_MS, enqueue));
  });
  return {
    sweep,
    isIdle: () => underWay === 0,
    async close() {
      clearInterval(probing);
      stopping.abort();
      await sweeping;
    },
  };
}

/** A queue that fails stops no other. A database that takes no statements is not asked for each. */
function isOfOneQueue({ code }: { code?: string }): boolean {
  return /^(?!08|53|57P)[0-9A-Z]{5}$/.test(code ?? '');
}
