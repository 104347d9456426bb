import { queues, type RowQueue } from './jobs.ts';
import type { Sql } from './shared/sql.ts';

/** How long the row that is overdue the longest has been due, in ms, per queue; 0: nothing is due. The first figure to look at. */
export async function oldestDueMs(sql: Sql, now: Date): Promise<Record<RowQueue, number>> {
  const names = Object.keys(queues) as RowQueue[];
  const oldest = await Promise.all(
    names.map(async (name) => {
      const { table, claims } = queues[name];
      const [row] = await sql.query<{ due_at: Date }>(
        `select due_at from ${table} where due_at <= $1 and ${claims} order by due_at limit 1`,
        [now],
      );
      return [name, row ? now.getTime() - row.due_at.getTime() : 0] as const;
    }),
  );
  return Object.fromEntries(oldest) as Record<RowQueue, number>;
}
