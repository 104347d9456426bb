import type { Client } from 'pg';
import type { Sql } from '../../domain/shared/sql.ts';

/**
 * Pages of the database that the dearest statement of `work` reads, each planned without a look at
 * its values, as a prepared statement comes to be.
 */
export async function pagesRead(
  client: Client,
  work: (sql: Sql) => Promise<unknown>,
): Promise<number> {
  const pages: number[] = [];
  await client.query('set plan_cache_mode = force_generic_plan');
  const query = async (text: string, values: readonly unknown[] = []): Promise<any[]> => {
    await client.query(`prepare asked as ${text}`);
    const literals = values.map((value) =>
      client.escapeLiteral(value instanceof Date ? value.toISOString() : String(value)),
    );
    const { rows } = await client.query(
      `explain (analyze, buffers, format json) execute asked (${literals.join(', ')})`,
    );
    await client.query('deallocate asked');
    const { Plan: plan } = rows[0]['QUERY PLAN'][0];
    pages.push(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']);
    return [];
  };
  await work({ query });
  return Math.max(...pages);
}
