import type { Worker } from 'bullmq';
import { type Batcher, createBatcher } from '../config/batcher.ts';
import type { Context } from '../config/context.ts';
import { DeadlineError, withDeadline } from '../config/deadline.ts';
import type { JobData } from '../config/queues.ts';
import { retryBriefly } from '../config/retry-briefly.ts';
import { createSemaphore } from '../config/semaphore.ts';
import { type DueRow, jobTimeoutMs, queues, type RowQueue } from '../domain/jobs.ts';
import {
  type ClaimedRow,
  claimRows,
  type SettledRow,
  settleRows,
} from '../domain/shared/due-rows.ts';
import { nextRetryAt } from '../domain/shared/retry.ts';
import { type JobHandler, type Outcome, retry } from './job-handler.ts';

/** The workers of one queue. Closing begins no new job and waits for those in flight. */
export type Pool = Pick<Worker, 'close'>;

/** Starts the workers of one handler on its queue. */
export function startPool(context: Context, handler: JobHandler): Pool {
  const { queue } = handler;
  const loop = createJobLoop(context, handler);
  const process = async ({ data }: { data: JobData }) => {
    const endings = await loop.run(rowsOf(data));
    const failed = endings.find(({ outcome }) => outcome === 'failed');
    if (failed) throw failed.error;
    return countsOf(endings);
  };
  const worker = context.queues.startWorker(queue, process, {
    concurrency: queues[queue].concurrency,
    onError: (error) => context.log.warn('worker failed', { queue, error: error.message }),
  });
  return {
    close() {
      const closed = worker.close();
      loop.stop();
      return closed;
    },
  };
}

/**
 * The rows a job names. Anything else was written by another version: the sweeper enqueues those
 * rows again.
 */
function rowsOf(data: JobData): DueRow[] {
  return Object.entries(data).flatMap(([id, tries]) =>
    Number.isInteger(tries) ? [{ id, tries }] : [],
  );
}

function countsOf(endings: readonly Ending[]): Record<string, number> {
  const groups = Map.groupBy(endings, ({ outcome }) => outcome);
  return Object.fromEntries([...groups].map(([outcome, { length }]) => [outcome, length]));
}

/**
 * Claims one row, handles it and settles it, once. Returns how the job ended; undefined where the
 * row cannot be claimed.
 */
export async function runJob(
  context: Context,
  handler: JobHandler,
  row: DueRow,
): Promise<Outcome['type'] | undefined> {
  const [ending] = await createJobLoop(context, handler).run([row]);
  if (ending?.outcome === 'failed') throw ending.error;
  return ending?.outcome;
}

/** The jobs of one queue in one process. */
export interface JobLoop {
  /**
   * Runs a job: waits for free slots, claims its rows, lets the handler work on them, settles each
   * as it ends, logs them together. Returns how they ended, without those that could not be
   * claimed because they are not due or another job claimed them. Throws while the process stops.
   */
  run(rows: readonly DueRow[]): Promise<Ending[]>;
  /** Begins no new job; those in flight end. */
  stop(): void;
}

/** How a claimed row ended. */
export interface Ending {
  outcome: Outcome['type'] | 'failed';
  /** Set where the job failed. */
  error?: unknown;
  row: string;
  reason?: string;
  /** More fields of the log line. */
  fields: Record<string, unknown>;
  durationMs: number;
}

/** Rows that several jobs name at one moment are claimed, and settled, in one statement. */
export function createJobLoop(
  context: Context,
  handler: JobHandler,
  timeoutMs = jobTimeoutMs(handler.queue),
): JobLoop {
  const { queue } = handler;
  const { db, log } = context;
  const slots = createSemaphore(queues[queue].concurrency);
  const claims = createBatcher((due: readonly DueRow[]) => claimAndHandle(context, handler, due));
  const settles = createBatcher(async (settled: readonly SettledRow[]) => {
    await retryBriefly(() => settleRows(db, queue, settled));
    return settled.map(() => undefined);
  });
  const runRow = async (due: DueRow): Promise<Ending | undefined> => {
    try {
      const job = await claims.load(due);
      return job && (await endOf({ context, queue, settles, timeoutMs }, job));
    } catch (error) {
      log.error('job not claimed', { queue, row: due.id, error: textOf(error) });
      return { outcome: 'failed', error, row: due.id, fields: {}, durationMs: 0 };
    } finally {
      slots.release();
    }
  };
  return {
    async run(rows) {
      if (rows.length === 0) return [];
      await slots.acquire(rows.length);
      const endings = (await Promise.all(rows.map(runRow))).filter((one) => one !== undefined);
      logEndings(log, queue, endings);
      return endings;
    },
    stop: () => slots.close(),
  };
}

interface ClaimedJob {
  row: ClaimedRow;
  handled: Promise<Outcome>;
}

async function claimAndHandle(
  context: Context,
  handler: JobHandler,
  due: readonly DueRow[],
): Promise<(ClaimedJob | undefined)[]> {
  const { db, clock } = context;
  const { queue, select } = handler;
  const claimed = await retryBriefly(() => claimRows(db, queue, due, clock(), select));
  const rows = claimed.filter((row) => row !== undefined);
  const promises = rows.length > 0 ? handler.handle(context, rows) : [];
  const handled = new Map(promises.map((promise, n) => [rows[n], promise]));
  return claimed.map((row) => row && { row, handled: handled.get(row)! });
}

interface Settling {
  context: Context;
  queue: RowQueue;
  settles: Batcher<SettledRow, undefined>;
  timeoutMs: number;
}

/** Waits for a row's outcome and settles it. */
async function endOf(settling: Settling, { row, handled }: ClaimedJob): Promise<Ending> {
  const { context, queue, timeoutMs } = settling;
  const startedMs = performance.now();
  const identity = { connection_id: row.connection_id, try: row.tries };
  const end = (outcome: Ending['outcome'], rest: Partial<Ending>): Ending => ({
    outcome,
    row: row.id,
    durationMs: Math.round(performance.now() - startedMs),
    ...rest,
    fields: { ...identity, ...rest.fields },
  });
  try {
    const outcome = await withDeadline(handled, timeoutMs);
    const error = await settle(settling, row, outcome);
    return end(error === undefined ? outcome.type : 'failed', { ...outcome, error });
  } catch (error) {
    const isLate = error instanceof DeadlineError;
    context.log.error(isLate ? 'job timed out' : 'job failed', {
      ...{ queue, row: row.id, ...identity },
      error: textOf(error),
    });
    // A job that timed out may still be running: its row is left to its lease.
    if (!isLate)
      await settle(settling, row, retry(nextRetryAt(row.tries, context.clock()), 'failed'));
    return end('failed', { error });
  }
}

/**
 * Records when the row is due again and enqueues it for then. Returns the error, if any: the row
 * then waits for the end of its lease.
 */
async function settle(
  { context, queue, settles }: Settling,
  { id, tries }: ClaimedRow,
  outcome: Outcome,
): Promise<unknown> {
  if (outcome.type === 'completed') return undefined;
  const dueAt = outcome.type === 'discard' ? null : outcome.at;
  const isSnoozed = outcome.type === 'snooze';
  const onSettled = isSnoozed ? outcome.onSettled : undefined;
  try {
    await settles.load({ id, tries, dueAt, isSnoozed });
    if (dueAt && !onSettled) context.dispatcher.enqueue([{ queue, id, tries, dueAt }]);
    return undefined;
  } catch (error) {
    context.log.error('job outcome not recorded; the row waits for the end of its lease', {
      ...{ queue, row: id, outcome: outcome.type, error: textOf(error) },
    });
    return error ?? new Error('The outcome was not recorded.');
  } finally {
    onSettled?.();
  }
}

const messages = {
  completed: 'job completed',
  retry: 'job to be retried',
  snooze: 'job snoozed',
  discard: 'job discarded',
} as const satisfies Record<Outcome['type'], string>;

/**
 * Logs a line for each row that has a reason, and one line for all others of an outcome. Failures
 * are logged before.
 */
function logEndings(log: Context['log'], queue: RowQueue, endings: readonly Ending[]): void {
  const groups = Map.groupBy(endings, ({ outcome, reason, row }) => (reason ? row : outcome));
  for (const group of groups.values()) {
    const [{ outcome, row, reason, fields, durationMs }] = group as [Ending];
    if (outcome === 'failed') continue;
    const rows = group.map((one) => one.row);
    const line =
      group.length === 1
        ? { row, outcome, reason, ...fields, duration_ms: durationMs }
        : { rows, outcome, duration_ms: Math.max(...group.map((one) => one.durationMs)) };
    log.info(messages[outcome], { queue, ...line });
  }
}

const textOf = (error: unknown) => (error as Error | undefined)?.stack ?? String(error);
