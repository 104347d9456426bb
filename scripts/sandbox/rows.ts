import type { Sql } from '../../domain/shared/sql.ts';

export interface Window {
  limit: number;
  offset: number;
}

export interface Page<Entity> {
  rows: Entity[];
  total: number;
  volumeKobo: number;
}

/**
 * Runs a statement and returns its rows as records: camelCase, and every `…_at` a Date whatever the
 * driver made of it.
 */
export async function all<Entity>(
  sql: Sql,
  text: string,
  values: readonly unknown[] = [],
): Promise<Entity[]> {
  const rows = await sql.query(text, values);
  return rows.map((row) => toRecord<Entity>(row));
}

/** The first record of a statement, or undefined. */
export async function first<Entity>(
  sql: Sql,
  text: string,
  values: readonly unknown[] = [],
): Promise<Entity | undefined> {
  return (await all<Entity>(sql, text, values))[0];
}

/** The same, of a table with many columns: the driver reads one value faster than forty. */
export async function firstOf<Entity>(
  sql: Sql,
  table: string,
  where: string,
  values: readonly unknown[],
): Promise<Entity | undefined> {
  const [row] = await sql.query<{ entity: object }>(
    `select to_json(e) as entity from (select * from ${table} where ${where}) e`,
    values,
  );
  return row && toRecord<Entity>(row.entity);
}

/**
 * One page of a table, newest first, with the totals of everything that matches. Each condition
 * holds one `?`; undefined drops it.
 */
export async function listPage<Entity>(
  sql: Sql,
  table: string,
  conditions: Record<string, unknown>,
  window: Window,
  volume = '0',
): Promise<Page<Entity>> {
  const { where, values } = whereOf(conditions);
  const totals = await first<{ total: number; volumeKobo: number }>(
    sql,
    `select count(*) as total, coalesce(sum(${volume}), 0)::bigint as volume_kobo from ${table}
     where ${where}`,
    values,
  );
  return {
    total: 0,
    volumeKobo: 0,
    ...totals,
    rows: await listRows<Entity>(sql, table, conditions, window),
  };
}

/** The rows before it are skipped by their ids: none of their columns is made up. */
function listRows<Entity>(
  sql: Sql,
  table: string,
  conditions: Record<string, unknown>,
  { limit, offset }: Window,
): Promise<Entity[]> {
  const { where, values } = whereOf(conditions);
  const ids = `select id from ${table} where ${where} order by id desc
    limit $${values.length + 1} offset $${values.length + 2}`;
  return all<Entity>(sql, `select * from ${table} where id = any(array(${ids})) order by id desc`, [
    ...values,
    limit,
    offset,
  ]);
}

function whereOf(conditions: Record<string, unknown>): { where: string; values: unknown[] } {
  const given = Object.entries(conditions).filter(([, value]) => value !== undefined);
  return {
    where: given.map(([condition], i) => condition.replace('?', `$${i + 1}`)).join(' and '),
    values: given.map(([, value]) => value),
  };
}

/**
 * `asked`, the rows of `columnsOf` inside a statement, with their position `n` from 1 on; `first`
 * is the number of its first parameter. The planner does not see how long the arrays are: it would
 * plan anew for each number of rows.
 */
export function askedRows(columns: Readonly<Record<string, string>>, first: number): string {
  const arrays = Object.values(columns).map((type, i) => `(select $${first + i}::${type}[])`);
  return `unnest(${arrays.join(', ')})
    with ordinality as asked (${Object.keys(columns).join(', ')}, n)`;
}

/** The values of many rows, an array for each column. */
export function columnsOf<Item>(
  items: readonly Item[],
  valuesOf: (item: Item) => readonly unknown[],
): unknown[][] {
  const rows = items.map(valuesOf);
  return rows[0]!.map((_, column) => rows.map((row) => row[column] ?? null));
}

/** A row, or a row inside a row, as a record. */
export function toRecord<Entity>(row: object): Entity {
  const record: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(row)) {
    const { name, isTime } = fieldOf(column);
    record[name] = isTime && value !== null ? new Date(value) : value;
  }
  return record as Entity;
}

interface Field {
  name: string;
  isTime: boolean;
}

const fields = new Map<string, Field>();

/** Remembered, because a long list asks for the same few columns a million times. */
function fieldOf(column: string): Field {
  const known = fields.get(column);
  if (known) return known;
  const name = column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const field = { name, isTime: column.endsWith('_at') };
  fields.set(column, field);
  return field;
}
