import type { Sql } from '../../domain/shared/sql.ts';
import { DATABASE } from './bench-stack.ts';

/** PostgreSQL counts statements with these settings. */
export const countingSettings = ['shared_preload_libraries=pg_stat_statements'];

/** How often a statement ran, and how long it took in PostgreSQL. */
export interface StatementKind {
  text: string;
  calls: number;
  meanMs: number;
}

/** Begins to count the statements of a server that was started with `countingSettings`. */
export async function prepareCounting(sql: Sql): Promise<void> {
  await sql.query('create extension pg_stat_statements');
}

/** Forgets what was counted so far. */
export async function resetCounts(sql: Sql): Promise<void> {
  await sql.query('select pg_stat_statements_reset()');
}

/**
 * The statements that ran in the service's database since the last reset, the costliest first;
 * `begin` and `commit` are statements like others.
 */
export async function readCounts(sql: Sql): Promise<StatementKind[]> {
  const rows = await sql.query<StatementKind>(
    `select query as text, sum(calls)::bigint as calls,
       sum(total_exec_time) / sum(calls) as "meanMs"
     from pg_stat_statements
     where dbid = (select oid from pg_database where datname = $1)
       and query not like '%pg_stat_statements%'
     group by query order by sum(total_exec_time) desc`,
    [DATABASE],
  );
  return rows.map((row) => ({ ...row, text: row.text.replaceAll(/\s+/g, ' ').trim() }));
}
