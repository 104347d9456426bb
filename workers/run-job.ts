import type { Context } from '../config/context.ts';
import { jobTimeoutMs, queues, type RowQueue } from '../domain/jobs.ts';
import { type ClaimedRow, claimRows } from '../domain/shared/due-rows.ts';
import type { Sql } from '../domain/shared/sql.ts';
import type { JobHandler, Outcome } from './job-handler.ts';
import { beginRows, createRowWork } from './row-work.ts';

/** Claims one row, as a worker does. Undefined: it cannot be claimed, or there is none. */
export async function claimRow<Row extends ClaimedRow>(
  sql: Sql,
  queue: RowQueue,
  { id }: { id: string },
  now: Date,
  select?: string,
): Promise<Row | undefined> {
  const { table, group: column } = queues[queue];
  const [found] = await sql.query<{ group: string }>(
    `select ${column} as "group" from ${table} where id = $1`,
    [id],
  );
  if (!found) return undefined;
  const wanted = [{ group: found.group, count: 1, row: id }];
  return (await claimRows<Row>(sql, queue, wanted, now, select))[0];
}

/** Claims and settles one row. Undefined: it cannot be claimed. Throws what its handler threw. */
export async function runJob(
  context: Context,
  handler: JobHandler,
  row: { id: string },
): Promise<Outcome['type'] | undefined> {
  const { queue, select } = handler;
  const claimed = await claimRow(context.db, queue, row, context.clock(), select);
  if (!claimed) return undefined;
  const id = (claimed as ClaimedRow & Record<string, string>)[queues[queue].group]!;
  const work = createRowWork(context, handler, jobTimeoutMs(queue));
  const ending = await beginRows(work, [{ group: { id }, row: claimed }], () => {})[0]!;
  if (ending.outcome === 'failed') throw ending.error;
  return ending.outcome;
}
