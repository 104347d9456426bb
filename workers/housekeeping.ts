import type { Context } from '../config/context.ts';
import { ensureConnectionTasks } from '../domain/accounts/connection/tasks.ts';
import { HOUSEKEEPING } from '../domain/jobs.ts';
import { expireWhenAnswered, overdueCharges } from '../domain/payments/expire-charge.ts';
import { expireLinks } from '../domain/payments/payment-link/expire.ts';
import { connectionTasks } from '../domain/providers/registry.ts';
import { DELIVERIES_KEPT_DAYS } from '../domain/webhooks/delivery/delivery.ts';
import type { Pool } from './pool.ts';

interface Retention {
  table: string;
  /** Holds a row's age. */
  column: string;
  days: number;
  /** Only these rows. */
  where?: string;
}

/** How long each growing table keeps its rows. */
const retention: readonly Retention[] = [
  { table: 'idempotency_keys', column: 'created_at', days: 7 },
  { table: 'idempotency_keys', column: 'created_at', days: 1, where: 'sealed' }, // these answers show a secret
  { table: 'notifications', column: 'created_at', days: 30 },
  { table: 'delivery_tries', column: 'at', days: 30 },
  {
    table: 'deliveries',
    column: 'created_at',
    days: DELIVERIES_KEPT_DAYS,
    where: "status <> 'pending'",
  },
  {
    table: 'webhook_endpoints',
    column: 'deleted_at',
    days: DELIVERIES_KEPT_DAYS,
    where: 'not exists (select from deliveries where endpoint_id = webhook_endpoints.id)',
  },
  { table: 'evidence', column: 'created_at', days: 400 },
  { table: 'user_tokens', column: 'expires_at', days: 0 },
  { table: 'token_families', column: 'expires_at', days: 0 },
  { table: 'member_links', column: 'expires_at', days: 7 }, // until then its page says that the link has expired
];

const DAY_MS = 24 * 3_600_000;
/** Rows touched in one statement, so that no lock is held long. */
const MAX_ROWS = 5_000;
const MAX_CHARGES = 500;
/** How long one rule may take in a run. The next run goes on. */
const MAX_MS = 10_000;

/** Starts the worker of the housekeeping schedule, which the sweeper keeps alive. */
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

/** What one run did. */
export interface HousekeepingCounts {
  expired: number;
  expiredLinks: number;
  newConnectionTasks: number;
  dropped: Record<string, number>;
}

/**
 * Expires charges and payment links, adds the tasks that connections lack, and drops rows past
 * their retention. Safe to run twice, and by two processes at once.
 */
export async function runHousekeeping(context: Context): Promise<HousekeepingCounts> {
  const expired = await expireCharges(context);
  const expiredLinks = await inBatches(MAX_ROWS, (limit) =>
    expireLinks({ sql: context.db, now: context.clock() }, limit),
  );
  const newConnectionTasks = await inBatches(MAX_ROWS, (limit) =>
    ensureConnectionTasks({ sql: context.db, now: context.clock() }, connectionTasks(), limit),
  );
  const dropped: Record<string, number> = {};
  for (const rule of retention)
    dropped[rule.table] = (dropped[rule.table] ?? 0) + (await dropOld(context, rule));
  return { expired, expiredLinks, newConnectionTasks, dropped };
}

async function expireCharges(context: Context): Promise<number> {
  return inBatches(MAX_CHARGES, async (limit) => {
    const due = await overdueCharges({ sql: context.db, now: context.clock() }, limit);
    for (const { id } of due) await context.inTx((tx) => expireWhenAnswered(tx, id));
    return due.length;
  });
}

function dropOld(
  { db, clock }: Context,
  { table, column, days, where = 'true' }: Retention,
): Promise<number> {
  const before = new Date(clock().getTime() - days * DAY_MS);
  return inBatches(MAX_ROWS, async (limit) => {
    const rows = await db.query(
      `delete from ${table} where ctid = any(array(select ctid from ${table} where ${column} < $1 and ${where} limit $2)) returning 1`,
      [before, limit],
    );
    return rows.length;
  });
}

/** Goes on while batches come back full: a run keeps up with a busy minute. */
async function inBatches(limit: number, work: (limit: number) => Promise<number>): Promise<number> {
  const deadlineMs = performance.now() + MAX_MS;
  let total = 0;
  for (;;) {
    const count = await work(limit);
    total += count;
    if (count < limit || performance.now() > deadlineMs) return total;
  }
}
