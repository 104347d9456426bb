import type { Context } from '../config/context.ts';
import { jobTimeoutMs, queues } from '../domain/jobs.ts';
import { claimRows } from '../domain/shared/due-rows.ts';
import type { JobHandler, Outcome } from './job-handler.ts';
import { beginRows, createRowWork } from './row-work.ts';

/** Claims and settles one row. Undefined: it cannot be claimed. Throws what its handler threw. */
export async function runJob(
  context: Context,
  handler: JobHandler,
  { id }: { id: string },
): Promise<Outcome['type'] | undefined> {
  const { queue, select } = handler;
  const { table, group: column } = queues[queue];
  const { db, clock } = context;
  const [found] = await db.query<{ group: string }>(
    `select ${column} as "group" from ${table} where id = $1`,
    [id],
  );
  if (!found) return undefined;
  const wanted = [{ group: found.group, count: 1, row: id }];
  const [row] = await claimRows(db, queue, wanted, clock(), select);
  if (!row) return undefined;
  const work = createRowWork(context, handler, jobTimeoutMs(queue));
  const claimed = [{ group: { id: found.group }, row }];
  const ending = await beginRows(work, claimed, () => {})[0]!;
  if (ending.outcome === 'failed') throw ending.error;
  return ending.outcome;
}
