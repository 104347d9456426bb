import { firstIdAt, type IdPrefix } from '../../domain/shared/ids.ts';
import type { Sql } from '../../domain/shared/sql.ts';

const TIME_DIGITS = 10;

/** SQL: the time of an id made at `ms`, in Crockford's base32. It reads `BASE32`. */
export const TIME_OF_ID = Array.from(
  { length: TIME_DIGITS },
  (_, digit) => `substr(digits, (ms >> ${45 - 5 * digit} & 31)::int + 1, 1)`,
).join(' || ');
export const BASE32 = `(values ('0123456789abcdefghjkmnpqrstvwxyz')) base32 (digits)`;

/** SQL: an id made at `at` for the number `n`. */
export function idAt(prefix: IdPrefix, at: Date): string {
  const beginning = firstIdAt(prefix, at).slice(0, `${prefix}_`.length + TIME_DIGITS);
  return `'${beginning}' || lpad(to_hex(n), 16, '0')`;
}

/** Writes rows, and makes the indexes anew behind them: that is many times quicker. */
export async function withoutIndexes(
  sql: Sql,
  tables: readonly string[],
  write: () => Promise<unknown>,
): Promise<void> {
  const indexes = await sql.query<{ name: string; definition: string }>(
    `select indexrelid::regclass as name, pg_get_indexdef(indexrelid) as definition
     from pg_index join pg_class on pg_class.oid = indrelid
     where relnamespace = 'public'::regnamespace and not indisunique and not relispartition
       and relname = any($1)`,
    [tables],
  );
  await sql.query(`set maintenance_work_mem = '512MB'`);
  for (const { name } of indexes) await sql.query(`drop index ${name}`);
  await write();
  for (const { definition } of indexes) await sql.query(definition.replace(' ON ONLY ', ' ON '));
}
