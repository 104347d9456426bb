import pg from 'pg';
import type { Sql } from '../../domain/shared/sql.ts';

export type Session = Awaited<ReturnType<typeof openSession>>;

/** One session in a database, for SQL of a bench. */
export async function openSession(config: pg.ClientConfig) {
  const client = new pg.Client(config);
  client.setTypeParser(pg.types.builtins.INT8, Number);
  client.on('error', () => {});
  await client.connect();
  const query: Sql['query'] = async (text, values = []) =>
    (await client.query(text, [...values])).rows;
  return {
    client,
    query,
    async transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
      await client.query('begin');
      const result = await work({ query });
      await client.query('commit');
      return result;
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}

/** In a session of its own: those of before do not survive every fault. */
export async function queryOnce<Row>(
  connectionString: string,
  text: string,
  values?: readonly unknown[],
): Promise<Row[]> {
  await using session = await openSession({ connectionString, connectionTimeoutMillis: 5_000 });
  return await session.query<Row>(text, values);
}

/** A server counts statements when it was started with this setting. */
export const COUNTING = 'shared_preload_libraries=pg_stat_statements';

export type StatementKind = { text: string; calls: number; meanMs: number };

/** The statements that ran in the database of `sql` meanwhile, the costliest first. */
export async function statementsDuring(sql: Sql, work: () => Promise<unknown>) {
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
