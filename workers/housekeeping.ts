import type { Context } from '../config/context.ts';
import { ensureConnectionTasks } from '../domain/accounts/connection/tasks.ts';
import { expireWhenQuiet, overdueCharges } from '../domain/payments/attempt/expire.ts';
import { expireLinks } from '../domain/payments/payment-link/expire.ts';
import { connectionTasks } from '../domain/providers/registry.ts';
import { DELIVERIES_KEPT_DAYS } from '../domain/webhooks/delivery/delivery.ts';

interface Retention {
  table: string;
  /** Tells a row's age. */
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
  { table: 'member_links', column: 'expires_at', days: 7 }, // until then its page says that it is over, not that there is none
];

const DAY_MS = 24 * 3_600_000;
/** Rows touched in one statement, so that no lock is held long. */
const MOST_ROWS = 5_000;
const MOST_CHARGES = 500;
/** What one task may take in a run. What is left over is the next run's. */
const MOST_MS = 10_000;

/** What one run did. */
export interface HousekeepingCounts {
  expired: number;
  expiredLinks: number;
  /** Connections that nobody asked about disputes before. */
  newConnectionTasks: number;
  dropped: Record<string, number>;
}

/** Ends charges and payment links whose time is over, sees that every connection is asked what it has to be, and drops what is past its retention. Safe to run twice, and at once. */
export async function keepHouse(context: Context): Promise<HousekeepingCounts> {
  const expired = await expireCharges(context);
  const expiredLinks = await inBatches(MOST_ROWS, (limit) =>
    expireLinks({ sql: context.db, now: context.clock() }, limit),
  );
  const newConnectionTasks = await inBatches(MOST_ROWS, (limit) =>
    ensureConnectionTasks({ sql: context.db, now: context.clock() }, connectionTasks(), limit),
  );
  const dropped: Record<string, number> = {};
  for (const rule of retention)
    dropped[rule.table] = (dropped[rule.table] ?? 0) + (await dropOld(context, rule));
  return { expired, expiredLinks, newConnectionTasks, dropped };
}

async function expireCharges(context: Context): Promise<number> {
  return inBatches(MOST_CHARGES, async (limit) => {
    const due = await overdueCharges(
      { sql: context.db, vault: context.vault, now: context.clock() },
      limit,
    );
    for (const { id } of due) await context.inTx((tx) => expireWhenQuiet(tx, id));
    return due.length;
  });
}

function dropOld(
  { db, clock }: Context,
  { table, column, days, where = 'true' }: Retention,
): Promise<number> {
  const before = new Date(clock().getTime() - days * DAY_MS);
  return inBatches(MOST_ROWS, async (limit) => {
    const rows = await db.query(
      `delete from ${table} where ctid = any(array(select ctid from ${table} where ${column} < $1 and ${where} limit $2)) returning 1`,
      [before, limit],
    );
    return rows.length;
  });
}

/** Goes on while batches come back full: what a busy minute made, a run must be able to take away. */
async function inBatches(limit: number, work: (limit: number) => Promise<number>): Promise<number> {
  const deadlineMs = performance.now() + MOST_MS;
  let total = 0;
  for (;;) {
    const count = await work(limit);
    total += count;
    if (count < limit || performance.now() > deadlineMs) return total;
  }
}
