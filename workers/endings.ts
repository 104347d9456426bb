import type { Batcher } from '../config/batcher.ts';
import type { Context } from '../config/context.ts';
import { DeadlineError, withDeadline } from '../config/deadline.ts';
import type { WaitingRows } from '../config/queues/waiting-rows.ts';
import { type QueueSpec, queues, type RowQueue } from '../domain/jobs.ts';
import {
  type ClaimedRow,
  countFailure,
  forgetFailures,
  type SettledRow,
} from '../domain/shared/due-rows.ts';
import { nextRetryAt } from '../domain/shared/retry.ts';
import { type Outcome, retry } from './job-handler.ts';

export interface Ending {
  outcome: Outcome['type'] | 'failed';
  error?: unknown;
  row: string;
  group: string;
  reason?: string;
  fields: Record<string, unknown>;
  durationMs: number;
}

export interface Settling {
  context: Context;
  queue: RowQueue;
  settles: Batcher<SettledRow, undefined>;
  waiting: WaitingRows | undefined;
  timeoutMs: number;
}

export type ClaimedJob = { row: ClaimedRow; group: string; handled: Promise<Outcome> };

export async function endOf(settling: Settling, { row, group, handled }: ClaimedJob) {
  const { context, queue, timeoutMs } = settling;
  const startedMs = performance.now();
  const identity = { connection_id: row.connection_id, try: row.tries };
  const end = (outcome: Ending['outcome'], rest: Partial<Ending>): Ending => {
    const durationMs = Math.round(performance.now() - startedMs);
    const sinceDueMs = row.due_since && context.clock().getTime() - row.due_since.getTime();
    context.metrics.recordJob({ queue, outcome, durationMs, sinceDueMs });
    const fields = { ...identity, ...rest.fields };
    return { outcome, row: row.id, group, durationMs, ...rest, fields };
  };
  try {
    const outcome = await withDeadline(handled, timeoutMs);
    const error = await settle(settling, { row, group, outcome, startedMs });
    const { recorded: _, ...said } = outcome;
    return end(error === undefined ? outcome.type : 'failed', { ...said, error });
  } catch (error) {
    const isLate = error instanceof DeadlineError;
    context.log.error(isLate ? 'job timed out' : 'job failed', {
      ...{ queue, row: row.id, ...identity },
      error: textOf(error),
    });
    const { message } = error instanceof Error ? error : new Error(String(error));
    const outcome = retry(nextRetryAt(row.tries, context.clock()), message);
    // A job that timed out may still be running: its row is left to its lease.
    if (isLate)
      await noteFailures(context, () =>
        countFailure(context.db, queue, { ...row, error: message }),
      );
    else await settle(settling, { row, group, outcome, startedMs });
    return end('failed', { error });
  }
}

type EndedRow = { row: ClaimedRow; group: string; outcome: Outcome; startedMs: number };

/** Returns the error, if any: the row then waits for the end of its lease. */
async function settle(
  { context, queue, settles, waiting }: Settling,
  { row: { id, tries, failures }, group, outcome, startedMs }: EndedRow,
): Promise<unknown> {
  if (outcome.type === 'completed') {
    if (failures > 0) await noteFailures(context, () => forgetFailures(context.db, queue, id));
    return undefined;
  }
  const dueAt = outcome.type === 'discard' ? null : outcome.at;
  try {
    const error = outcome.type === 'retry' ? { error: outcome.reason } : {};
    await settles.load({ id, tries, dueAt, isSnoozed: outcome.type === 'snooze', ...error });
    if (!dueAt) return undefined;
    context.dispatcher.enqueue([{ queue, id, group, dueAt }]);
    waiting?.add(group, { id, tries }, startedMs);
    return undefined;
  } catch (error) {
    context.log.error('job outcome not recorded; the row waits for the end of its lease', {
      ...{ queue, row: id, outcome: outcome.type, error: textOf(error) },
    });
    return error ?? new Error('The outcome was not recorded.');
  }
}

/** The next try writes what could not be written now. */
async function noteFailures({ log }: Context, write: () => Promise<void>): Promise<void> {
  await write().catch(({ message }: Error) =>
    log.warn('failures not recorded', { error: message }),
  );
}

const messages = {
  completed: 'job completed',
  retry: 'job to be retried',
  snooze: 'job snoozed',
  discard: 'job discarded',
} as const satisfies Record<Outcome['type'], string>;

/** Tries of rows handed over are on record: those without a reason share a line. */
export function logEndings(log: Context['log'], queue: RowQueue, endings: readonly Ending[]): void {
  const { isHandedOver = false } = queues[queue] as QueueSpec;
  const groups = Map.groupBy(endings, ({ outcome, reason, row }) =>
    isHandedOver && !reason ? outcome : row,
  );
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

export const textOf = (error: unknown) => (error as Error | undefined)?.stack ?? String(error);
