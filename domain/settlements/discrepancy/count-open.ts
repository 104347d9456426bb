import type { Reader } from '../../shared/reader.ts';
import type { Sql } from '../../shared/sql.ts';

/** Of one business and mode, at most `most`. */
export async function countOpen(sql: Sql, { tenantId, mode }: Reader, most: number) {
  const [row] = await sql.query<{ count: number }>(
    `select count(*)::int from (
       select from discrepancies where tenant_id = $1 and mode = $2 and status = 'open'
       limit $3) counted`,
    [tenantId, mode, most],
  );
  return row!.count;
}

/** Of a connection, or of all businesses; at most `most`. */
export async function countWrongBooks(sql: Sql, most: number, connectionId?: string) {
  const isOf = connectionId === undefined ? 'true' : 'connection_id = $2';
  const [row] = await sql.query<{ count: number }>(
    `select count(*)::int from (
       select from discrepancies where status = 'open' and kind = 'books' and ${isOf}
       limit $1) counted`,
    connectionId === undefined ? [most] : [most, connectionId],
  );
  return row!.count;
}
