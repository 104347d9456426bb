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
