import type { Context } from '../config/context.ts';
import { ensureConnectionTasks } from '../domain/accounts/connection/tasks.ts';
import { accountsRetention } from '../domain/accounts/retention.ts';
import { HOUSEKEEPING } from '../domain/jobs.ts';
import { overdueCharges } from '../domain/payments/attempt/ended-charges.ts';
import { expireWhenAnswered } from '../domain/payments/expire-charge.ts';
import { foldFigures, MAX_FOLDED } from '../domain/payments/figures/store.ts';
import { expireLinks } from '../domain/payments/payment-link/expire-links.ts';
import { paymentsRetention } from '../domain/payments/retention.ts';
import { connectionTasks } from '../domain/providers/registry.ts';
import { deleteOldRows } from '../domain/shared/retention.ts';
import { webhooksRetention } from '../domain/webhooks/retention.ts';
import type { Pool } from './pool.ts';

/** How long each growing table keeps its rows. */
const retention = [...accountsRetention, ...paymentsRetention, ...webhooksRetention];

/** Rows deleted in one statement, so that no lock is held long. */
const MAX_ROWS = 5_000;
const MAX_CHARGES = 500;
/** How long one rule may take in a run. The next run continues. */
const MAX_MS = 10_000;

/** Starts the worker of the housekeeping schedule, which the sweeper creates. */
export function startHousekeeping(context: Context): Pool {
  const { log, queues } = context;
  const process = async () => {
    const counts = await runHousekeeping(context);
    log.info('job completed', { queue: HOUSEKEEPING, outcome: 'completed', ...counts });
    return counts;
  };
  return queues.startWorker(HOUSEKEEPING, process, {
    concurrency: 1,
    onError: (error) => log.warn('worker failed', { queue: HOUSEKEEPING, error: error.message }),
  });
}

/** How many rows each rule changed in one run. */
export interface HousekeepingCounts {
  expired: number;
  expiredLinks: number;
  foldedFigures: number;
  newConnectionTasks: number;
  dropped: Record<string, number>;
}

/**
 * Expires charges and payment links, adds up daily figures, adds missing connection tasks, and
 * deletes rows past their retention. Safe to run twice, and by two processes at once.
 */
export async function runHousekeeping(context: Context): Promise<HousekeepingCounts> {
  const expired = await expireCharges(context);
  const expiredLinks = await inBatches(MAX_ROWS, (limit) =>
    expireLinks({ sql: context.db, now: context.clock() }, limit),
  );
  const foldedFigures = await inBatches(MAX_FOLDED, () => foldFigures(context.db));
  const newConnectionTasks = await inBatches(MAX_ROWS, (limit) =>
    ensureConnectionTasks({ sql: context.db, now: context.clock() }, connectionTasks(), limit),
  );
  const dropped: Record<string, number> = {};
  for (const rule of retention) {
    const count = await inBatches(MAX_ROWS, (limit) =>
      deleteOldRows({ sql: context.db, now: context.clock() }, rule, limit),
    );
    dropped[rule.table] = (dropped[rule.table] ?? 0) + count;
  }
  return { expired, expiredLinks, foldedFigures, newConnectionTasks, dropped };
}

async function expireCharges(context: Context): Promise<number> {
  return inBatches(MAX_CHARGES, async (limit) => {
    const due = await overdueCharges({ sql: context.db, now: context.clock() }, limit);
    for (const { id } of due) await context.inTx((tx) => expireWhenAnswered(tx, id));
    return due.length;
  });
}

/** Repeats while batches are full, until the time for one rule is up. */
async function inBatches(limit: number, work: (limit: number) => Promise<number>): Promise<number> {
  const deadlineMs = performance.now() + MAX_MS;
  let total = 0;
  for (;;) {
    const count = await work(limit);
    total += count;
    if (count < limit || performance.now() > deadlineMs) return total;
  }
}
