import type { Reader } from '../../shared/reader.ts';
import type { Sql } from '../../shared/sql.ts';

export async function countOpen(sql: Sql, { tenantId, mode }: Reader, most: number) {
  const [row] = await sql.query<{ count: number }>(
    `select count(*)::int from (
       select from discrepancies where tenant_id = $1 and mode = $2 and status = 'open'
       limit $3) counted`,
    [tenantId, mode, most],
  );
  return row!.count;
}
