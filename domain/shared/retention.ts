import type { Sql } from './sql.ts';

/** How long a table keeps its rows. */
export interface Retention {
  table: string;
  /** The column with a row's age. */
  column: string;
  days: number;
  /** Only these rows. */
  where?: string;
}

const DAY_MS = 24 * 3_600_000;

/** Deletes at most `limit` rows that are past their retention. Returns how many. */
export async function deleteOldRows(
  { sql, now }: { sql: Sql; now: Date },
  { table, column, days, where = 'true' }: Retention,
  limit: number,
): Promise<number> {
  const rows = await sql.query(
    `delete from ${table} where ctid = any(array(
       select ctid from ${table} where ${column} < $1 and ${where} limit $2)) returning 1`,
    [new Date(now.getTime() - days * DAY_MS), limit],
  );
  return rows.length;
}
