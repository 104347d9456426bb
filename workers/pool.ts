import { Semaphore } from 'async-mutex';
import type { Worker } from 'bullmq';
import type { Context } from '../config/context.ts';
import type { JobData } from '../config/queues.ts';
import { nextDeferralAt, nextRetryAt } from '../domain/attempt/schedule.ts';
import { type DueRow, queues, type RowQueue } from '../domain/jobs.ts';
import { isDeferral, type ProviderError } from '../domain/providers/provider.ts';

/**
 * How a job ends. `done`: the row was written by the job's own phase. `later`: nothing final yet, take it up again then. `never`: there
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
  spared?: true;
}

export const done: Outcome = { type: 'done' };
export const doneWith = (told: Record<string, unknown>): Outcome => ({ type: 'done', told });
export const later = (dueAt: Date, reason: string, cost: Pick<Later, 'spared'> = {}): Outcome => ({
  type: 'later',
  dueAt,
  reason,
  ...cost,
});
export const never = (reason: string): Outcome => ({ type: 'never', reason });

type Failure = Pick<ProviderError, 'kind' | 'message' | 'retryAfterMs'>;

/** How a job ends whose provider gave no answer. No try is counted where it would not be asked just now. */
export function laterAfter({ tries, spared }: { tries: number; spared: number }, error: Failure, now: Date): Outcome {
  if (!isDeferral(error)) return later(nextRetryAt(tries - spared, now), error.message);
  return { type: 'later', dueAt: nextDeferralAt(spared, error.retryAfterMs, now), reason: error.message, spared: true };
}

/** A kind of job that claims its rows itself and writes how they ended, as the rest of the process does the same. */
export interface SharedDuty {
  queue: RowQueue;
  /**
   * What the log says of the row comes back; with a reason, it has a line of its own. Throws: the row is taken up again when its lease
   * ends.
   */
  start: (context: Context) => (row: DueRow) => Promise<{ outcome: string; reason?: string } & Record<string, unknown>>;
}

/** A kind of job: which rows it may claim and what it does with one. */
export interface Duty<Row extends ClaimedRow = ClaimedRow> {
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
export async function runJob(context: Context, duty: Duty<never>, due: DueRow): Promise<Outcome['type'] | 'skipped'> {
  const startedMs = performance.now();
  const row = await claim(context, duty, due);
  if (!row) return 'skipped';
  const line = { queue: duty.queue, row: row.id, connection_id: row.connection_id, try: row.tries };
  try {
    const outcome = await (duty.work as (context: Context, row: ClaimedRow) => Promise<Outcome>)(context, row);
    await settle(context, duty, row, outcome);
    context.log.info('job', { ...line, ...describe(outcome), duration_ms: Math.round(performance.now() - startedMs) });
    return outcome.type;
  } catch (error) {
    context.log.error('job failed; it is taken up again later', { ...line, outcome: 'failed', error: (error as Error).stack });
    // Where even this cannot be written, the lease brings the row back.
    await settle(context, duty, row, later(nextRetryAt(row.tries, context.clock()), 'failed')).catch(() => {});
    throw error;
  }
}

/** What the work of a shared duty says of a row. */
type Told = Awaited<ReturnType<ReturnType<SharedDuty['start']>>>;

/**
 * A job of a shared duty: all its rows, once there is place for them among those that the process has in hand. Returns how many ended in
 * which way; throws the first failure once all have ended.
 */
export function startSharing(context: Context, duty: SharedDuty): (rows: readonly DueRow[]) => Promise<Record<string, number>> {
  const work = duty.start(context);
  const places = new Semaphore(queues[duty.queue].concurrency);
  const { log } = context;
  return async (rows) => {
    const startedMs = performance.now();
    const failures: unknown[] = [];
    const ended = new Map<string, Told>();
    const workOn = async (row: DueRow) => {
      try {
        ended.set(row.id, await work(row));
      } catch (error) {
        failures.push(error);
        const line = { queue: duty.queue, row: row.id, outcome: 'failed', error: (error as Error).stack };
        log.error('job failed; it is taken up again later', line);
      } finally {
        places.release();
      }
    };
    await places.acquire(rows.length);
    await Promise.all(rows.map(workOn));
    const line = { queue: duty.queue, duration_ms: Math.round(performance.now() - startedMs) };
    for (const told of linesOf(ended)) log.info('job', { ...line, ...told });
    if (failures.length > 0) throw failures[0];
    return Object.fromEntries([...Map.groupBy(ended.values(), ({ outcome }) => outcome)].map(([outcome, { length }]) => [outcome, length]));
  };
}

/** A line for each row that has a reason to give, and one for the others of each outcome together. Nothing of those skipped. */
function linesOf(ended: ReadonlyMap<string, Told>): object[] {
  const told = [...ended].filter(([, { outcome }]) => outcome !== 'skipped');
  const groups = Map.groupBy(told, ([row, { outcome, reason }]) => (reason === undefined ? outcome : row));
  return [...groups.values()].map((group) => {
    const [[row, only]] = group as [[string, Told]];
    return group.length === 1 ? { row, ...only } : { rows: group.map(([id]) => id), outcome: only.outcome };
  });
}

async function claim({ db, clock }: Context, duty: Duty<never>, { id, tries }: DueRow): Promise<ClaimedRow | undefined> {
  const { table, claims, leaseMs } = queues[duty.queue];
  const now = clock();
  const [row] = await db.query<ClaimedRow>(
    `update ${table} set tries = tries + 1, ring = 0, rung_at = null, due_at = $3
     where id = $1 and tries = $2 and due_at <= $4::timestamptz + interval '${CLOCK_SLACK_MS} milliseconds' and ${claims} returning *`,
    [id, tries, new Date(now.getTime() + leaseMs), now],
  );
  return row;
}

async function settle({ db, bell }: Context, { queue }: Duty<never>, { id, tries }: ClaimedRow, outcome: Outcome): Promise<void> {
  if (outcome.type === 'done') return;
  const dueAt = outcome.type === 'later' ? outcome.dueAt : null;
  const spared = outcome.type === 'later' && outcome.spared ? ', spared = spared + 1' : '';
  await db.query(`update ${queues[queue].table} set due_at = $3${spared} where id = $1 and tries = $2`, [id, tries, dueAt]);
  if (dueAt) bell.ring([{ queue, id, tries, dueAt }]);
}

function describe(outcome: Outcome) {
  return outcome.type === 'done' ? { outcome: outcome.type, ...outcome.told } : { outcome: outcome.type, reason: outcome.reason };
}

/** A pool at work: closing it stops taking jobs and waits for those in hand. */
export type Pool = Pick<Worker, 'close'>;

/** Starts the workers of one duty on its queue. */
export function startPool(context: Context, duty: Duty<never> | SharedDuty): Pool {
  const onError = (error: Error) => context.log.warn('worker', { queue: duty.queue, error: error.message });
  const { concurrency } = queues[duty.queue];
  const work =
    'start' in duty ? startSharing(context, duty) : (rows: readonly DueRow[]) => Promise.all(rows.map((row) => runJob(context, duty, row)));
  return context.queues.startWorker(duty.queue, ({ data }: { data: JobData }) => work(data.rows), { concurrency, onError });
}
