import type { Client } from 'pg';
import type { Sql } from '../../domain/shared/sql.ts';
import { explain } from '../../scripts/bench/explain.ts';

/**
 * Pages of the database that the dearest statement of `work` reads, each planned without a look at
 * its values, as a prepared statement comes to be.
 */
export async function pagesRead(client: Client, work: (sql: Sql) => Promise<unknown>) {
  const { explained } = await explain(client, 'force_generic_plan', work);
  return Math.max(...explained.map(({ pages }) => pages));
}
