import type { Database, Sql } from './sql.ts';

/**
 * Every statement of `work` is answered by walking an index in its order, from where the page
 * begins. The planner would rather collect all there is and sort it, whenever it takes a large
 * tenant for a small one or hardly expects a match: here it may not.
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
