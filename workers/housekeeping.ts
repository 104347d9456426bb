import type { Context } from '../config/context.ts';
import { withDeadline } from '../config/deadline.ts';
import { ensureConnectionTasks } from '../domain/accounts/connection/tasks.ts';
import { eraseSealedAnswers } from '../domain/accounts/idempotency/remembered.ts';
import { accountsRetention } from '../domain/accounts/retention.ts';
import { eraseExchangedPairs } from '../domain/accounts/token/refresh.ts';
import { HOUSEKEEPING } from '../domain/jobs.ts';
import { MAX_SNAPSHOTTED, takeSnapshots } from '../domain/journal/snapshots.ts';
import { mailRetention } from '../domain/mail/retention.ts';
import { partitionedTables } from '../domain/partitioned-tables.ts';
import { foldFigures, MAX_FOLDED } from '../domain/payments/figures/store.ts';
import { expireLinks } from '../domain/payments/payment-link/expire-links.ts';
import { paymentsRetention } from '../domain/payments/retention.ts';
import { connectionTasks } from '../domain/providers/registry.ts';
import { createPartitions, dropOldPartitions } from '../domain/shared/partitions.ts';
import { deleteOldRows, type Retention, retentionOfDefault } from '../domain/shared/retention.ts';
import { webhooksRetention } from '../domain/webhooks/retention.ts';
import { type ExpiryWalk, expireNext, newExpiryWalk, renewWalk } from './expire-charges.ts';
import type { JobLoop } from './job-loop.ts';

const retention = [
  ...accountsRetention,
  ...mailRetention,
  ...paymentsRetention,
  ...partitionedTables.flatMap((table) => retentionOfDefault(table) ?? []),
  ...webhooksRetention,
];

/** Rows changed in one statement, so that no lock is held long. */
const MAX_ROWS = 5_000;
const MAX_CONNECTIONS = 1_000;
/** A run ends before the next one is scheduled, which continues. */
const MAX_MS = 50_000;

const EVERY_MS = 60_000;
/** What has been kept for days or weeks may wait this long after a run that left nothing. */
const RETENTION_EVERY_MS = 600_000;

/**
 * Works on the schedule, which is created again and again: it vanishes when Redis is emptied. While
 * the queue store is away a timer does. `schedules`: false, in tests that run it.
 */
export function startHousekeeping(
  context: Context,
  { schedules = true } = {},
): Pick<JobLoop, 'close'> {
  const { log, queues } = context;
  const walk = newExpiryWalk();
  let retainedMs = Number.NEGATIVE_INFINITY;
  const process = async () => {
    const startedMs = performance.now();
    const retains = startedMs - retainedMs >= RETENTION_EVERY_MS;
    const { changed, failed } = await runHousekeeping(context, { walk, retains });
    const outcome = failed.length > 0 ? 'failed' : 'completed';
    const durationMs = performance.now() - startedMs;
    if (retains && failed.length === 0 && durationMs < MAX_MS) retainedMs = startedMs;
    context.metrics.recordJob({ queue: HOUSEKEEPING, outcome, durationMs });
    const line = { queue: HOUSEKEEPING, outcome, ...changed };
    if (failed.length > 0) {
      log.error('job failed', { ...line, rules: failed });
      throw new Error(`Housekeeping failed: ${failed.join(', ')}.`);
    }
    log.info('job completed', line);
    return changed;
  };
  const worker = queues.startWorker(HOUSEKEEPING, process, {
    concurrency: 1,
    onError: (error) => log.warn('worker failed', { queue: HOUSEKEEPING, error: error.message }),
  });
  const schedule = () =>
    withDeadline(scheduleHousekeeping(context), TIMEOUT_MS).catch(({ message }) =>
      log.warn('housekeeping not scheduled', { error: message }),
    );
  if (schedules) void schedule();
  const timer = setInterval(() => {
    if (queues.outage.isAway())
      void process().catch(({ message }) => log.warn('housekeeping failed', { error: message }));
    else if (schedules) void schedule();
  }, EVERY_MS);
  return {
    async close() {
      clearInterval(timer);
      await worker.close();
    },
  };
}

const TIMEOUT_MS = 15_000;

/** Does nothing where it exists. */
export async function scheduleHousekeeping({ queues }: Context): Promise<void> {
  const options = { removeOnComplete: { count: 20 }, removeOnFail: { count: 100 } };
  await queues.all
    .get(HOUSEKEEPING)!
    .upsertJobScheduler('every-minute', { every: EVERY_MS }, { name: HOUSEKEEPING, opts: options });
}

export interface HousekeepingResult {
  changed: Record<string, number>;
  /** The next run tries these again. */
  failed: string[];
}

interface Rule {
  name: string;
  batch(): Promise<Batch>;
}

interface Batch {
  count: number;
  /** True: more may be left to do. */
  isFull: boolean;
}

/**
 * Runs the rules in turns, a batch each, until nothing is left or the time is over, so that none
 * waits for another; a failure is logged and stops no other. Safe to run twice, and by two
 * processes at once. Charges are expired from where `walk` stands. `retains`: false, nothing is
 * deleted for its age.
 */
export async function runHousekeeping(
  context: Context,
  { walk = newExpiryWalk(), retains = true }: { walk?: ExpiryWalk; retains?: boolean } = {},
): Promise<HousekeepingResult> {
  renewWalk(walk, context.clock());
  const rules = [...(retains ? retentionRules(context) : []), ...rulesOf(context, walk)];
  const changed = Object.fromEntries(rules.map(({ name }) => [name, 0]));
  const failed: string[] = [];
  const deadlineMs = performance.now() + MAX_MS;
  for (let unfinished = rules; unfinished.length > 0; ) {
    const full: Rule[] = [];
    for (const rule of unfinished) {
      try {
        const { count, isFull } = await rule.batch();
        changed[rule.name]! += count;
        if (isFull) full.push(rule);
      } catch (error) {
        failed.push(rule.name);
        const text = (error as Error | undefined)?.stack ?? String(error);
        context.log.error('housekeeping rule failed', { rule: rule.name, error: text });
      }
    }
    unfinished = performance.now() < deadlineMs ? full : [];
  }
  return { changed, failed };
}

const ruleOf =
  ({ clock }: Context) =>
  (name: string, limit: number, work: (now: Date) => Promise<number>): Rule => ({
    name,
    async batch() {
      const count = await work(clock());
      return { count, isFull: count >= limit };
    },
  });

function retentionRules(context: Context): Rule[] {
  const { db: sql, env } = context;
  const rule = ruleOf(context);
  return [
    ...retention.map((kept) => retentionRule(context, kept)),
    ...partitionedTables.map((table) =>
      rule(`${table.table}_partitions`, Number.POSITIVE_INFINITY, async (now) => {
        const { partitionDaysAhead } = env;
        const dropped = await dropOldPartitions({ db: sql, now }, table);
        if (partitionDaysAhead === null) return dropped;
        return dropped + (await createPartitions({ db: sql, now }, table, partitionDaysAhead));
      }),
    ),
  ];
}

function rulesOf(context: Context, walk: ExpiryWalk): Rule[] {
  const { db: sql } = context;
  const rule = ruleOf(context);
  return [
    rule('sealed_answers', MAX_ROWS, (now) => eraseSealedAnswers({ sql, now }, MAX_ROWS)),
    rule('exchanged_tokens', MAX_ROWS, (now) => eraseExchangedPairs({ sql, now }, MAX_ROWS)),
    rule('expired_links', MAX_ROWS, (now) => expireLinks({ sql, now }, MAX_ROWS)),
    rule('folded_figures', MAX_FOLDED, () => foldFigures(sql)),
    rule('snapshotted_postings', MAX_SNAPSHOTTED, (now) =>
      takeSnapshots({ db: sql, now }, MAX_SNAPSHOTTED),
    ),
    rule('connection_tasks', MAX_CONNECTIONS, (now) =>
      ensureConnectionTasks({ sql, now }, connectionTasks(), MAX_CONNECTIONS),
    ),
    { name: 'expired_charges', batch: () => expireNext(context, walk, 'expires_at') },
    { name: 'cancelled_charges', batch: () => expireNext(context, walk, 'cancel_requested_at') },
  ];
}

function retentionRule({ db: sql, clock }: Context, kept: Retention): Rule {
  let newest: string | null = null;
  return {
    name: kept.name ?? kept.table,
    async batch() {
      const deleted = await deleteOldRows({ sql, now: clock() }, kept, MAX_ROWS, newest);
      newest = deleted.newest ?? newest;
      return { count: deleted.count, isFull: deleted.count >= MAX_ROWS };
    },
  };
}
