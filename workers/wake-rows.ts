import type { Context } from '../config/context.ts';
import type { DueRow, RowQueue } from '../domain/jobs.ts';
import { settleRows } from '../domain/shared/due-rows.ts';

const ROWS_PER_STATEMENT = 500;

/**
 * Makes rows due now that were not claimed since they were settled, and enqueues them, so that a
 * paused queue stays paused. It never throws: a row that is not woken is tried at its time.
 */
export async function wakeRows(
  { db, clock, dispatcher, log }: Context,
  queue: RowQueue,
  { group, rows }: { group: string; rows: readonly DueRow[] },
): Promise<void> {
  try {
    for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
      const woken = rows.slice(from, from + ROWS_PER_STATEMENT);
      const dueAt = clock();
      await settleRows(
        db,
        queue,
        woken.map((row) => ({ ...row, dueAt, isSnoozed: false })),
      );
      dispatcher.enqueue(woken.map((row) => ({ ...row, queue, group })));
    }
  } catch (error) {
    log.warn('rows not woken', { queue, group, error: (error as Error).message });
  }
}
