import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../config/context.ts';
import { withDeadline } from '../config/deadline.ts';
import { HOUSEKEEPING, queues, type RowQueue } from '../domain/jobs.ts';
import { type SweptPage, takeOverdueRows } from '../domain/shared/due-groups.ts';
import { repeat } from './repeat.ts';

/**
 * A row is swept when it is overdue by this much: its job was lost, or it had none because it was
 * due much later.
 */
const OVERDUE_MS = 1_000;
/** The wait before a row is enqueued once more. It doubles each time, up to the longest. */
const WAIT_MS = 5_000;
const MAX_WAIT_MS = 5 * 60_000;
/** Groups that one page looks at. */
const GROUPS_PER_PAGE = 500;
/** Between the pages of a sweep, so that fresh work is not starved. */
const BETWEEN_PAGES_MS = 20;
const EVERY_MS = 1_000;
/** A sweeper is busy for at most a tenth of the time, however many groups wait. */
const MAX_BUSY_SHARE = 0.1;
const HOUSEKEEPING_EVERY_MS = 60_000;
const TIMEOUT_MS = 15_000;

const queueNames = Object.keys(queues) as RowQueue[];

/** Rows enqueued per queue in one sweep. */
export type SweepCounts = Partial<Record<RowQueue, number>>;

/**
 * Enqueues the rows that are overdue by more than `overdueMs`, of each group the first ones:
 * whoever works on those claims the others. A row waits twice as long each time, up to
 * `MAX_WAIT_MS`: a backlog is not enqueued over and over, and rows are enqueued soon after an
 * outage of the queues ends. Returns undefined when another process is sweeping one of the
 * queues.
 */
export async function sweep(
  context: Context,
  overdueMs = OVERDUE_MS,
  names: readonly RowQueue[] = queueNames,
): Promise<SweepCounts | undefined> {
  const counts: SweepCounts = {};
  for (const queue of names) {
    const rows = await sweepQueue(context, queue, overdueMs);
    if (rows === undefined) return undefined;
    if (rows > 0) counts[queue] = rows;
  }
  return counts;
}

/** Sweeps one queue, page by page. */
async function sweepQueue(
  context: Context,
  queue: RowQueue,
  overdueMs: number,
): Promise<number | undefined> {
  let total = 0;
  // While the store is away its workers find due rows themselves.
  for (let after: string | null = ''; after !== null && !context.queues.outage.isAway(); ) {
    const page: SweptPage | undefined = await withDeadline(
      takePage(context, queue, overdueMs, after),
      TIMEOUT_MS,
    );
    if (!page) return undefined;
    context.dispatcher.enqueue(page.jobs);
    await context.dispatcher.idle();
    total += page.jobs.length;
    after = page.next;
    if (after !== null) await pause(BETWEEN_PAGES_MS);
  }
  return total;
}

function takePage(
  { db, clock }: Context,
  queue: RowQueue,
  overdueMs: number,
  after: string,
): Promise<SweptPage | undefined> {
  const rowsPerGroup = queues[queue].maxPerGroup;
  const limits = { overdueMs, waitMs: WAIT_MS, maxWaitMs: MAX_WAIT_MS, rowsPerGroup };
  return takeOverdueRows(db, queue, clock(), limits, { after, limit: GROUPS_PER_PAGE });
}

/** Stops with its scope. */
export interface Sweeper extends AsyncDisposable {
  /** True: no sweep is under way. Rows found by the last one have their jobs. */
  isIdle(): boolean;
}

/**
 * Sweeps each queue on a timer of its own, never on the queue it repairs, and recreates the
 * schedule of housekeeping where it is missing.
 */
export function startSweeper(context: Context): Sweeper {
  const stopping = new AbortController();
  const { log } = context;
  const every = (everyMs: number, onError: (error: Error) => void) => ({
    ...{ everyMs, onError, maxBusyShare: MAX_BUSY_SHARE, signal: stopping.signal },
  });
  const underWay = new Set<RowQueue>();
  const sweepers = queueNames.map((queue) => {
    const failed = ({ message }: Error) => log.warn('sweep failed', { queue, error: message });
    return repeat(every(EVERY_MS, failed), async () => {
      underWay.add(queue);
      const rows = await sweepQueue(context, queue, OVERDUE_MS).finally(() =>
        underWay.delete(queue),
      );
      if (rows) log.info('overdue rows enqueued', { queue, rows });
    });
  });
  const scheduler = repeat(
    every(HOUSEKEEPING_EVERY_MS, ({ message }) =>
      log.warn('housekeeping not scheduled', { error: message }),
    ),
    () => withDeadline(scheduleHousekeeping(context), TIMEOUT_MS),
  );
  return {
    isIdle: () => underWay.size === 0,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await Promise.all([...sweepers, scheduler]);
    },
  };
}

/**
 * Creates the job scheduler of housekeeping, which vanishes when Redis is emptied. Does nothing
 * where it exists.
 */
export async function scheduleHousekeeping({ queues: opened }: Context): Promise<void> {
  const options = { removeOnComplete: { count: 20 }, removeOnFail: { count: 100 } };
  await opened.all
    .get(HOUSEKEEPING)!
    .upsertJobScheduler(
      'every-minute',
      { every: HOUSEKEEPING_EVERY_MS },
      { name: HOUSEKEEPING, opts: options },
    );
}
