import pg from 'pg';
import type { Sql } from '../../domain/shared/sql.ts';

const int8 = 20;

/** A pool of the sandbox's own, which shares no code with the service's. */
export function openDatabase(connectionString: string) {
  const pool = new pg.Pool({ connectionString, types: { getTypeParser } });
  // An idle connection that breaks is replaced at the next query, which reports what is wrong;
  // without a listener it would end the process.
  pool.on('error', () => {});
  const query: Sql['query'] = async (text, values = []) =>
    (await pool.query(text, [...values])).rows;
  const close = () => pool.end();
  return { sql: { query }, close, [Symbol.asyncDispose]: close };
}

const getTypeParser = ((oid: number, format: 'text') =>
  oid === int8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser;
