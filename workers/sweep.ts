import type { Context } from '../config/context.ts';
import { withDeadline } from '../config/deadline.ts';
import { HOUSEKEEPING, type Job, queues, type RowQueue } from '../domain/jobs.ts';
import type { Sql } from '../domain/shared/sql.ts';
import { handlers } from './handlers.ts';

/** A row this long overdue was rung and not heard, or never rung. */
const OVERDUE_MS = 5_000;
/** The longest a row waits from one ring to the next. */
const LONGEST_WAIT_MS = 5 * 60_000;
const EVERY_MS = 2_000;
const HOUSEKEEPING_EVERY_MS = 60_000;
const ROUND_TIMEOUT_MS = 15_000;
/** Rows rung per queue and sweep. */
const BATCH = 500;
/** One sweeper at a time in the whole deployment. */
const ADVISORY_LOCK = 7_201_001;

/** Rows rung per queue in one sweep. */
export type SweepCounts = Partial<Record<RowQueue, number>>;

/**
 * Rings again for every row overdue by more than `overdueMs`. Each ring of one row waits twice as long as the one before, up to
 * `LONGEST_WAIT_MS`, so a backlog is not rung over and over and an outage of the queues does not outlast itself for long. Returns
 * undefined when another process is sweeping. Only queues that are worked on are rung: where nobody listens, every further ring would be
 * one more job that waits for ever, and the rows can wait without.
 */
export async function sweep(
  { db, dispatcher, clock }: Context,
  overdueMs = OVERDUE_MS,
): Promise<SweepCounts | undefined> {
  const now = clock();
  const jobs = await db.transaction(async (sql) => {
    const [lock] = await sql.query<{ taken: boolean }>(
      'select pg_try_advisory_xact_lock($1) as taken',
      [ADVISORY_LOCK],
    );
    if (!lock?.taken) return undefined;
    const found: Job[] = [];
    for (const { queue } of handlers)
      found.push(...(await overdueJobs(sql, queue, now, overdueMs)));
    return found;
  });
  if (!jobs) return undefined;
  dispatcher.enqueue(jobs);
  return count(jobs);
}

async function overdueJobs(
  sql: Sql,
  queue: RowQueue,
  now: Date,
  overdueMs: number,
): Promise<Job[]> {
  const { table, claims } = queues[queue];
  const rows = await sql.query<{ id: string; tries: number; enqueues: number }>(
    `update ${table} set enqueues = enqueues + 1, enqueued_at = $1 where id = any(array(
       select id from ${table} where due_at <= $2 and ${claims}
         and (enqueued_at is null or enqueued_at <= $1::timestamptz - least(2 ^ least(enqueues, 20) * $3, ${LONGEST_WAIT_MS}) * interval '1 millisecond')
       order by due_at limit ${BATCH} for update skip locked))
     returning id, tries, enqueues`,
    [now, new Date(now.getTime() - overdueMs), overdueMs],
  );
  return rows.map((row) => ({ queue, ...row }));
}

function count(jobs: Job[]): SweepCounts {
  const counts: SweepCounts = {};
  for (const { queue } of jobs) counts[queue] = (counts[queue] ?? 0) + 1;
  return counts;
}

/** Sweeps on a timer, never on the queue it repairs, and keeps the housekeeping schedule alive. Stops with its scope. */
export function startSweeper(context: Context): AsyncDisposable {
  let running: Promise<void> | undefined;
  let scheduledAtMs = Number.NEGATIVE_INFINITY;
  const round = async () => {
    const rung = await sweep(context);
    if (rung && Object.keys(rung).length > 0) context.log.info('swept', { rung });
    if (performance.now() - scheduledAtMs < HOUSEKEEPING_EVERY_MS) return;
    await scheduleHousekeeping(context);
    scheduledAtMs = performance.now();
  };
  // A round that hangs is not joined by others: they would only wait behind it.
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

/** Job schedulers live in the queue store and vanish with it; making one that exists changes nothing. */
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
