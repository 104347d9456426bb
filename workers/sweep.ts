import type { Context } from '../config/context.ts';
import { HOUSEKEEPING, type Job, queues, type RowQueue } from '../domain/jobs.ts';

/** A row this long overdue was rung and not heard, or never rung. */
export const OVERDUE_MS = 5_000;
const EVERY_MS = 2_000;
const HOUSEKEEPING_EVERY_MS = 60_000;
/** Rows rung per queue and sweep. */
const BATCH = 500;
/** One sweeper at a time in the whole deployment. */
const ADVISORY_LOCK = 7_201_001;

/** Rows rung per queue in one sweep. */
export type SweepCounts = Partial<Record<RowQueue, number>>;

/**
 * Rings again for every row overdue by more than `overdueMs`. Each ring of one row waits twice as long as the one before, so a backlog
 * is not rung over and over. Returns undefined when another process is sweeping.
 */
export async function sweep({ db, bell, clock }: Context, overdueMs = OVERDUE_MS): Promise<SweepCounts | undefined> {
  const now = clock();
  const jobs = await db.transaction(async (sql) => {
    const [lock] = await sql.query<{ taken: boolean }>('select pg_try_advisory_xact_lock($1) as taken', [ADVISORY_LOCK]);
    if (!lock?.taken) return undefined;
    const found: Job[] = [];
    for (const [queue, { table, claims }] of Object.entries(queues)) {
      const rows = await sql.query<{ id: string; tries: number; ring: number }>(
        `update ${table} set ring = ring + 1 where id = any(array(
           select id from ${table} where due_at <= $1 and ${claims}
             and due_at <= $2::timestamptz - least(2 ^ ring, 4096) * $3 * interval '1 millisecond'
           order by due_at limit ${BATCH} for update skip locked))
         returning id, tries, ring`,
        [new Date(now.getTime() - overdueMs), now, overdueMs],
      );
      for (const row of rows) found.push({ queue: queue as RowQueue, ...row });
    }
    return found;
  });
  if (!jobs) return undefined;
  bell.ring(jobs);
  return count(jobs);
}

function count(jobs: Job[]): SweepCounts {
  const counts: SweepCounts = {};
  for (const { queue } of jobs) counts[queue] = (counts[queue] ?? 0) + 1;
  return counts;
}

/** Sweeps on a timer, never on the queue it repairs, and keeps the housekeeping schedule alive. Stops with its scope. */
export function startSweeper(context: Context): AsyncDisposable {
  let running: Promise<void> = Promise.resolve();
  let scheduledAtMs = Number.NEGATIVE_INFINITY;
  const round = async () => {
    const rung = await sweep(context);
    if (rung && Object.keys(rung).length > 0) context.log.info('swept', { rung });
    if (performance.now() - scheduledAtMs < HOUSEKEEPING_EVERY_MS) return;
    await scheduleHousekeeping(context);
    scheduledAtMs = performance.now();
  };
  const quietly = () =>
    round().catch((error: Error) => {
      context.log.warn('sweep failed', { error: error.message });
    });
  const timer = setInterval(() => {
    running = running.then(quietly);
  }, EVERY_MS);
  running = quietly();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await running;
    },
  };
}

/** Job schedulers live in the queue store and vanish with it; making one that exists changes nothing. */
async function scheduleHousekeeping({ queues: opened }: Context): Promise<void> {
  const options = { removeOnComplete: { count: 20 }, removeOnFail: { count: 100 } };
  await opened.all
    .get(HOUSEKEEPING)!
    .upsertJobScheduler('every-minute', { every: HOUSEKEEPING_EVERY_MS }, { name: HOUSEKEEPING, opts: options });
}
