import pg from 'pg';
import type { Database, Sql } from '../../domain/shared/sql.ts';

export interface OpenDatabase extends AsyncDisposable {
  sql: Database;
  close(): Promise<void>;
}

const int8 = 20;

/** A pool of the sandbox's own, which shares no code with the service's. */
export function openDatabase(connectionString: string): OpenDatabase {
  const pool = new pg.Pool({ connectionString, types: { getTypeParser } });
  // An idle connection that breaks is replaced at the next query, which reports what is wrong;
  // without a listener it would end the process.
  pool.on('error', () => {});
  const sql: Database = { ...statementsOn(pool), transaction: (work) => inTransaction(pool, work) };
  const close = () => pool.end();
  return { sql, close, [Symbol.asyncDispose]: close };
}

function statementsOn(connection: Pick<pg.Pool, 'query'>): Sql {
  return {
    async query<Row>(text: string, values: readonly unknown[] = []) {
      return (await connection.query(text, [...values])).rows as Row[];
    },
  };
}

async function inTransaction<T>(pool: pg.Pool, work: (sql: Sql) => Promise<T>): Promise<T> {
  const connection = await pool.connect();
  let broken: Error | undefined;
  try {
    await connection.query('begin');
    const result = await work(statementsOn(connection));
    await connection.query('commit');
    return result;
  } catch (error) {
    await connection.query('rollback').catch((reason) => {
      broken = reason;
    });
    throw error;
  } finally {
    connection.release(broken);
  }
}

const getTypeParser = ((oid: number, format: 'text') =>
  oid === int8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser;
