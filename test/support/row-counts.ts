import { expect } from 'chai';
import type { Database } from '../../domain/shared/sql.ts';

export interface WithDatabase {
  context: { db: Database };
}

/**
 * Rows of every table the service writes to, by the table's name. Counters of requests and their
 * log are left out, because every request counts. So are connection tasks, which
 * housekeeping writes when it runs.
 */
export async function rowCounts({ context }: WithDatabase): Promise<Record<string, number>> {
  const tables = await context.db.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
       and relname not in ('rate_limits', 'connection_tasks', 'request_log') order by 1`,
  );
  const counts = tables.map(({ name }) => `(select count(*) from ${name}) as ${name}`);
  const [row] = await context.db.query<Record<string, number>>(`select ${counts.join(', ')}`);
  return row!;
}

export async function writingNothing<T>(stack: WithDatabase, action: () => Promise<T>): Promise<T> {
  const before = await rowCounts(stack);
  const result = await action();
  expect(await rowCounts(stack), 'rows in any table').to.deep.equal(before);
  return result;
}
