import type { Sql } from '../../domain/shared/sql.ts';

/** A server counts statements when it was started with this setting. */
export const COUNTING = 'shared_preload_libraries=pg_stat_statements';

export interface StatementKind {
  text: string;
  calls: number;
  meanMs: number;
}

/** The statements that ran in the database of `sql` meanwhile, the costliest first. */
export async function statementsDuring(
  sql: Sql,
  work: () => Promise<unknown>,
): Promise<StatementKind[]> {
  await sql.query('create extension if not exists pg_stat_statements');
  await sql.query('select pg_stat_statements_reset()');
  await work();
  return sql.query<StatementKind>(
    `select trim(regexp_replace(query, '\\s+', ' ', 'g')) as text, sum(calls)::bigint as calls,
       sum(total_exec_time) / sum(calls) as "meanMs"
     from pg_stat_statements
     where dbid = (select oid from pg_database where datname = current_database())
       and query not like '%pg_stat_statements%'
     group by query order by sum(total_exec_time) desc`,
  );
}

export function callsOf(kinds: readonly StatementKind[]): number {
  return kinds.reduce((sum, { calls }) => sum + calls, 0);
}
