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

/** Of all businesses, at most `most`. */
export async function countWrongBooks(sql: Sql, most: number): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `select count(*)::int from (
       select from discrepancies where status = 'open' and kind = 'books' limit $1) counted`,
    [most],
  );
  return row!.count;
}
