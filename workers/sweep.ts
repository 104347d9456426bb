import type { Context } from '../config/context.ts';
import { withDeadline } from '../config/deadline.ts';
import { HOUSEKEEPING, type Job, queues, type RowQueue } from '../domain/jobs.ts';
import { takeOverdueRows } from '../domain/shared/due-rows.ts';

/** A row is swept when it is overdue by this much: its job was lost, or never enqueued. */
const OVERDUE_MS = 5_000;
/** The longest wait before a row is enqueued once more. */
const MAX_WAIT_MS = 5 * 60_000;
const EVERY_MS = 2_000;
const HOUSEKEEPING_EVERY_MS = 60_000;
const ROUND_TIMEOUT_MS = 15_000;
/** Rows enqueued per queue and sweep. */
const BATCH = 500;
/** One sweeper at a time in the whole deployment. */
const ADVISORY_LOCK = 7_201_001;

/** Rows enqueued per queue in one sweep. */
export type SweepCounts = Partial<Record<RowQueue, number>>;

/**
 * Enqueues again every row that is overdue by more than `overdueMs`. A row waits twice as long each
 * time, up to `MAX_WAIT_MS`: a backlog is not enqueued over and over, and rows are enqueued soon
 * after an outage of the queues ends. Returns undefined when another process is sweeping.
 */
export async function sweep(
  { db, dispatcher, clock }: Context,
  overdueMs = OVERDUE_MS,
): Promise<SweepCounts | undefined> {
  const now = clock();
  const limits = { overdueMs, maxWaitMs: MAX_WAIT_MS, limit: BATCH };
  const jobs = await db.transaction(async (sql) => {
    const [lock] = await sql.query<{ taken: boolean }>(
      'select pg_try_advisory_xact_lock($1) as taken',
      [ADVISORY_LOCK],
    );
    if (!lock?.taken) return undefined;
    const found: Job[] = [];
    for (const queue of Object.keys(queues) as RowQueue[])
      found.push(...(await takeOverdueRows(sql, queue, now, limits)));
    return found;
  });
  if (!jobs) return undefined;
  dispatcher.enqueue(jobs);
  return count(jobs);
}

function count(jobs: Job[]): SweepCounts {
  const counts: SweepCounts = {};
  for (const { queue } of jobs) counts[queue] = (counts[queue] ?? 0) + 1;
  return counts;
}

/**
 * Sweeps on a timer, never on the queue it repairs, and recreates the schedule of housekeeping
 * where it is missing. Stops with its scope.
 */
export function startSweeper(context: Context): AsyncDisposable {
  let running: Promise<void> | undefined;
  let scheduledAtMs = Number.NEGATIVE_INFINITY;
  const round = async () => {
    const rows = await sweep(context);
    if (rows && Object.keys(rows).length > 0) context.log.info('overdue rows enqueued', { rows });
    if (performance.now() - scheduledAtMs < HOUSEKEEPING_EVERY_MS) return;
    await scheduleHousekeeping(context);
    scheduledAtMs = performance.now();
  };
  // No second round starts while one hangs: it would wait for the same lock.
  const tick = () => {
    running ??= withDeadline(round(), ROUND_TIMEOUT_MS)
      .catch((error: Error) => void context.log.warn('sweep failed', { error: error.message }))
      .finally(() => {
        running = undefined;
      });
  };
  const timer = setInterval(tick, EVERY_MS);
  tick();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await running;
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
