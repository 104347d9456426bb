import type { Context } from '../config/context.ts';
import type { DueRow, RowQueue } from '../domain/jobs.ts';
import { hastenRows } from '../domain/shared/due-rows.ts';

/** A payer who has just come is not behind all. */
const ROWS_PER_SECOND = 20;
const ROWS_PER_STATEMENT = 500;

/**
 * Makes unclaimed rows due one after the other from now and enqueues them: a paused queue stays
 * paused. Never throws: a row that is not woken is tried at its time.
 */
export async function wakeRows(
  { db, clock, dispatcher, log }: Context,
  queue: RowQueue,
  { group, rows }: { group: string; rows: readonly DueRow[] },
): Promise<void> {
  const nowMs = clock().getTime();
  const woken = rows.map((row, n) => ({
    ...row,
    dueAt: new Date(nowMs + Math.floor(n / ROWS_PER_SECOND) * 1_000),
  }));
  try {
    for (let from = 0; from < woken.length; from += ROWS_PER_STATEMENT) {
      const hastened = woken.slice(from, from + ROWS_PER_STATEMENT);
      await hastenRows(db, queue, hastened);
      dispatcher.enqueue(hastened.map(({ id, dueAt }) => ({ queue, group, id, dueAt })));
    }
  } catch (error) {
    log.warn('rows not woken', { queue, group, error: (error as Error).message });
  }
}
