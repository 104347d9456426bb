import type { Database, Sql } from './sql.ts';

/**
 * Makes every statement of `work` walk an index in its order from the start of the page. Otherwise
 * the planner collects all matching rows and sorts them whenever it underestimates a tenant or a
 * filter.
 */
export function walkingIndexes<T>(db: Database, work: (sql: Sql) => Promise<T>): Promise<T> {
  return db.transaction(async (sql) => {
    await sql.query(
      `select set_config(name, 'off', true)
       from unnest(array['enable_sort', 'enable_incremental_sort', 'enable_bitmapscan',
         'enable_seqscan', 'jit']) name`,
    );
    return work(sql);
  });
}
