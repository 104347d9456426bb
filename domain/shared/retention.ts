import { firstIdAt, type IdPrefix } from './ids.ts';
import type { Partitioned } from './partitions.ts';
import type { Sql } from './sql.ts';
import { DAY_MS } from './units.ts';

/** How long a table keeps its rows. */
export interface Retention {
  /** What the rule is called, where its table has several. */
  name?: string;
  table: string;
  /** The column with a row's age, in the order of which an index of the table finds rows. */
  column: string;
  /** Set where that column is an id: ids with this prefix hold the time they were made at. */
  prefix?: IdPrefix;
  days: number;
  /** Only these rows. */
  where?: string;
}

/** How long the default partition of a table keeps its rows; undefined: for good. */
export function retentionOfDefault({
  table,
  column,
  prefix,
  keptDays,
  keptWhile,
}: Partitioned): Retention | undefined {
  if (keptDays === null) return undefined;
  const where = keptWhile ? { where: `not (${keptWhile})` } : {};
  return { name: table, table: `${table}_default`, column, prefix, days: keptDays, ...where };
}

/** What one batch deleted. */
export interface Deleted {
  count: number;
  /** The age column of the newest deleted row; null: none was deleted. */
  newest: string | null;
}

/**
 * Deletes at most `limit` rows that are past their retention, the oldest first. `after` is the
 * newest row that an earlier batch deleted: the index is read from there, not through the entries
 * of all that was deleted since its last vacuum.
 */
export async function deleteOldRows(
  { sql, now }: { sql: Sql; now: Date },
  { table, column, prefix, days, where = 'true' }: Retention,
  limit: number,
  after: string | null = null,
): Promise<Deleted> {
  const expired = new Date(now.getTime() - days * DAY_MS);
  const [deleted] = await sql.query<Deleted>(
    `with deleted as (
       delete from ${table} where ctid = any(array(
         select ctid from ${table}
         where ${column} < $1 and ${column} >= $2 and ${where} order by ${column} limit $3))
       returning ${column} as age)
     select count(*)::int, max(age)::text as newest from deleted`,
    [prefix ? firstIdAt(prefix, expired) : expired, after ?? (prefix ? '' : '-infinity'), limit],
  );
  return deleted!;
}
