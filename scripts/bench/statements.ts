import type { Sql } from '../../domain/shared/sql.ts';

/** PostgreSQL counts statements with these settings. */
export const COUNTING = ['shared_preload_libraries=pg_stat_statements'];

/** How often a statement ran, and how long it took in PostgreSQL. */
export interface StatementKind {
  text: string;
  calls: number;
  meanMs: number;
}

/** Begins to count the statements of a server that was started with `COUNTING`. */
export async function prepareCounting(sql: Sql): Promise<void> {
  await sql.query('create extension pg_stat_statements');
}

/**
 * The statements that ran in the database of `sql` meanwhile, the costliest first; `begin` and
 * `commit` are statements like others.
 */
export async function statementsDuring(
  sql: Sql,
  work: () => Promise<unknown>,
): Promise<StatementKind[]> {
  await sql.query('select pg_stat_statements_reset()');
  await work();
  const rows = await sql.query<StatementKind>(
    `select query as text, sum(calls)::bigint as calls,
       sum(total_exec_time) / sum(calls) as "meanMs"
     from pg_stat_statements
     where dbid = (select oid from pg_database where datname = current_database())
       and query not like '%pg_stat_statements%'
     group by query order by sum(total_exec_time) desc`,
  );
  return rows.map((row) => ({ ...row, text: row.text.replaceAll(/\s+/g, ' ').trim() }));
}

/** How many statements ran. */
export function callsOf(kinds: readonly StatementKind[]): number {
  return kinds.reduce((sum, { calls }) => sum + calls, 0);
}
