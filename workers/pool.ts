import type { Worker } from 'bullmq';
import type { Context } from '../config/context.ts';
import type { JobData } from '../config/queues.ts';
import { createPlaces } from '../config/semaphore.ts';
import { type DueRow, queues, type RowQueue } from '../domain/jobs.ts';
import { nextDeferralAt, nextRetryAt } from '../domain/payments/attempt/schedule.ts';
import { isDeferral, type ProviderError } from '../domain/providers/provider.ts';

/**
 * How a job ends. `done`: the row was written by the job's own transaction. `later`: nothing final yet, take it up again then. `never`: there
 * is nothing (more) to do. The fourth ending is an exception: the row is taken up again later, at the latest when its lease ends.
 */
export type Outcome = Done | Later | { type: 'never'; reason: string };

interface Done {
  type: 'done';
  /** What the job's line in the log says besides. */
  told?: Record<string, unknown>;
}

interface Later {
  type: 'later';
  dueAt: Date;
  reason: string;
  /** True: this claim cost no try. */
  snoozes?: true;
}

export const done: Outcome = { type: 'done' };
export const doneWith = (told: Record<string, unknown>): Outcome => ({ type: 'done', told });
export const later = (dueAt: Date, reason: string, cost: Pick<Later, 'snoozes'> = {}): Outcome => ({
  type: 'later',
  dueAt,
  reason,
  ...cost,
});
export const never = (reason: string): Outcome => ({ type: 'never', reason });

type Failure = Pick<ProviderError, 'kind' | 'message' | 'retryAfterMs'>;

/** How a job ends whose provider gave no answer. No try is counted where it would not be asked just now. */
export function laterAfter(
  { tries, snoozes }: { tries: number; snoozes: number },
  error: Failure,
  now: Date,
): Outcome {
  if (!isDeferral(error)) return later(nextRetryAt(tries - snoozes, now), error.message);
  return {
    type: 'later',
    dueAt: nextDeferralAt(snoozes, error.retryAfterMs, now),
    reason: error.message,
    snoozes: true,
  };
}

/** A kind of job that claims its rows itself and writes how they ended, as the rest of the process does the same. */
export interface SharedJobHandler {
  queue: RowQueue;
  /**
   * What the log says of the row comes back; with a reason, it has a line of its own. Throws: the row is taken up again when its lease
   * ends.
   */
  start: (
    context: Context,
  ) => (row: DueRow) => Promise<{ outcome: string; reason?: string } & Record<string, unknown>>;
}

/** A kind of job: which rows it may claim and what it does with one. */
export interface JobHandler<Row extends ClaimedRow = ClaimedRow> {
  queue: RowQueue;
  work: (context: Context, row: Row) => Promise<Outcome>;
}

export interface ClaimedRow {
  id: string;
  tries: number;
  /** Where the row is about one. */
  connection_id?: string | null;
}

/** Rows are due by one process's clock and claimed by another's: this much disagreement is no reason to send a bell away. */
const CLOCK_SLACK_MS = 1_000;

/** Claims the row, works, writes how it ended. A bell that is early, late or doubled claims nothing and ends as `skipped`. */
export async function runJob(
  context: Context,
  handler: JobHandler<never>,
  due: DueRow,
): Promise<Outcome['type'] | 'skipped'> {
  const startedMs = performance.now();
  const row = await claim(context, handler, due);
  if (!row) return 'skipped';
  const line = {
    queue: handler.queue,
    row: row.id,
    connection_id: row.connection_id,
    try: row.tries,
  };
  try {
    const outcome = await (handler.work as (context: Context, row: ClaimedRow) => Promise<Outcome>)(
      context,
      row,
    );
    await settle(context, handler, row, outcome);
    context.log.info('job', {
      ...line,
      ...describe(outcome),
      duration_ms: Math.round(performance.now() - startedMs),
    });
    return outcome.type;
  } catch (error) {
    context.log.error('job failed; it is taken up again later', {
      ...line,
      outcome: 'failed',
      error: (error as Error).stack,
    });
    // Where even this cannot be written, the lease brings the row back.
    await settle(
      context,
      handler,
      row,
      later(nextRetryAt(row.tries, context.clock()), 'failed'),
    ).catch(() => {});
    throw error;
  }
}

/** The work on the jobs of a shared handler. */
export interface Sharing {
  /**
   * Works on all rows of a job, once there is place for them among those that the process has in hand. Returns how many ended in which
   * way; throws the first failure once all have ended, and at once where the process is stopping.
   */
  work(rows: readonly DueRow[]): Promise<Record<string, number>>;
  /** No job is begun any more; those in hand end. */
  stop(): void;
}

export function startSharing(context: Context, { queue, start }: SharedJobHandler): Sharing {
  const work = start(context);
  const places = createPlaces(queues[queue].concurrency);
  const { log } = context;
  const workOn = async (row: DueRow): Promise<Ended> => {
    const startedMs = performance.now();
    const line = { queue, row: row.id };
    try {
      const told = await work(row);
      return {
        line: { ...line, ...told, duration_ms: Math.round(performance.now() - startedMs) },
        outcome: told.outcome,
      };
    } catch (error) {
      log.error('job failed; it is taken up again later', {
        ...line,
        outcome: 'failed',
        error: (error as Error)?.stack ?? String(error),
      });
      return { line, outcome: 'failed', error };
    } finally {
      places.giveBack();
    }
  };
  return {
    async work(rows) {
      if (rows.length === 0) return {};
      await places.take(rows.length);
      const ended = await Promise.all(rows.map(workOn));
      for (const line of linesOf(ended)) log.info('job', line);
      const failed = ended.find(({ outcome }) => outcome === 'failed');
      if (failed) throw failed.error;
      return Object.fromEntries(
        [...Map.groupBy(ended, ({ outcome }) => outcome)].map(([outcome, { length }]) => [
          outcome,
          length,
        ]),
      );
    },
    stop: () => places.close(),
  };
}

/** How a row ended, and its line in the log. */
interface Ended {
  line: { queue: RowQueue; row: string; reason?: string; duration_ms?: number };
  outcome: string;
  error?: unknown;
}

/** A line for each row that has a reason to give, and one for the others of each outcome together. Nothing of those skipped. */
function linesOf(ended: readonly Ended[]): object[] {
  const told = ended.filter(({ outcome }) => outcome !== 'skipped' && outcome !== 'failed');
  const groups = Map.groupBy(told, ({ line, outcome }) =>
    line.reason === undefined ? outcome : line.row,
  );
  return [...groups.values()].map((group) => {
    const [{ line, outcome }] = group as [Ended];
    if (group.length === 1) return line;
    const longest = Math.max(...group.map((one) => one.line.duration_ms ?? 0));
    return {
      queue: line.queue,
      rows: group.map((one) => one.line.row),
      outcome,
      duration_ms: longest,
    };
  });
}

async function claim(
  { db, clock }: Context,
  handler: JobHandler<never>,
  { id, tries }: DueRow,
): Promise<ClaimedRow | undefined> {
  const { table, claims, leaseMs } = queues[handler.queue];
  const now = clock();
  const [row] = await db.query<ClaimedRow>(
    `update ${table} set tries = tries + 1, enqueues = 0, enqueued_at = null, due_at = $3
     where id = $1 and tries = $2 and due_at <= $4::timestamptz + interval '${CLOCK_SLACK_MS} milliseconds' and ${claims} returning *`,
    [id, tries, new Date(now.getTime() + leaseMs), now],
  );
  return row;
}

async function settle(
  { db, dispatcher }: Context,
  { queue }: JobHandler<never>,
  { id, tries }: ClaimedRow,
  outcome: Outcome,
): Promise<void> {
  if (outcome.type === 'done') return;
  const dueAt = outcome.type === 'later' ? outcome.dueAt : null;
  const snoozes = outcome.type === 'later' && outcome.snoozes ? ', snoozes = snoozes + 1' : '';
  await db.query(
    `update ${queues[queue].table} set due_at = $3${snoozes} where id = $1 and tries = $2`,
    [id, tries, dueAt],
  );
  if (dueAt) dispatcher.enqueue([{ queue, id, tries, dueAt }]);
}

function describe(outcome: Outcome) {
  return outcome.type === 'done'
    ? { outcome: outcome.type, ...outcome.told }
    : { outcome: outcome.type, reason: outcome.reason };
}

/** A pool at work: closing it stops taking jobs and waits for those in hand. */
export type Pool = Pick<Worker, 'close'>;

/** Starts the workers of one handler on its queue. */
export function startPool(context: Context, handler: JobHandler<never> | SharedJobHandler): Pool {
  const onError = (error: Error) =>
    context.log.warn('worker', { queue: handler.queue, error: error.message });
  const sharing = 'start' in handler ? startSharing(context, handler) : eachAlone(context, handler);
  const process = ({ data }: { data: JobData }) => sharing.work(rowsOf(data));
  const worker = context.queues.startWorker(handler.queue, process, {
    concurrency: queues[handler.queue].concurrency,
    onError,
  });
  return {
    close() {
      const closed = worker.close();
      sharing.stop();
      return closed;
    },
  };
}

function eachAlone(context: Context, handler: JobHandler<never>) {
  return {
    work: (rows: readonly DueRow[]) =>
      Promise.all(rows.map((row) => runJob(context, handler, row))),
    stop: () => {},
  };
}

/** Whatever else a job holds was not written by this version of the bell: its rows are rung for again. */
function rowsOf(data: JobData): DueRow[] {
  return Object.entries(data).flatMap(([id, tries]) =>
    Number.isInteger(tries) ? [{ id, tries }] : [],
  );
}
