import { queues, type RowQueue } from '../../domain/jobs.ts';
import { type ClaimedRow, claimRows } from '../../domain/shared/due-rows.ts';
import type { Sql } from '../../domain/shared/sql.ts';

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
  const wanted = [{ group: found!.group, count: 1, row: id }];
  return (await claimRows<Row>(sql, queue, wanted, now, select))[0];
}
