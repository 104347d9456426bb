import type { Sql } from '../../domain/sql.ts';

export interface Window {
  limit: number;
  offset: number;
}

export interface Page<Entity> {
  rows: Entity[];
  total: number;
  volumeKobo: number;
}

/** Runs a statement and returns its rows as records: camelCase, and every `…_at` a Date whatever the driver made of it. */
export async function all<Entity>(sql: Sql, text: string, values: readonly unknown[] = []): Promise<Entity[]> {
  const rows = await sql.query(text, values);
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(toField)) as Entity);
}

/** The first record of a statement, or undefined. */
export async function first<Entity>(sql: Sql, text: string, values: readonly unknown[] = []): Promise<Entity | undefined> {
  return (await all<Entity>(sql, text, values))[0];
}

/** One page of a table, newest first, with the totals of everything that matches. Each condition holds one `?`; undefined drops it. */
export async function listPage<Entity>(
  sql: Sql,
  table: string,
  conditions: Record<string, unknown>,
  window: Window,
  volume = '0',
): Promise<Page<Entity>> {
  const kept = Object.entries(conditions).filter(([, value]) => value !== undefined);
  const where = kept.map(([condition], i) => condition.replace('?', `$${i + 1}`)).join(' and ');
  const values = kept.map(([, value]) => value);
  const totals = await first<{ total: number; volumeKobo: number }>(
    sql,
    `select count(*) as total, coalesce(sum(${volume}), 0)::bigint as volume_kobo from ${table} where ${where}`,
    values,
  );
  const text = `select * from ${table} where ${where} order by id desc limit $${kept.length + 1} offset $${kept.length + 2}`;
  return { total: 0, volumeKobo: 0, ...totals, rows: await all<Entity>(sql, text, [...values, window.limit, window.offset]) };
}

function toField([column, value]: [string, unknown]): [string, unknown] {
  const name = column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return [name, column.endsWith('_at') && value !== null ? new Date(value as string | Date) : value];
}
