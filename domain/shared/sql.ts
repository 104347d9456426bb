import type { EntityManager } from '@mikro-orm/core';

/** Runs statements: on the pool, or in an open transaction. */
export interface Sql {
  /**
   * Runs one parameterised statement and returns its rows. `bigint` columns come back as numbers
   * (kobo never passes 2^53).
   */
  query<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** Reads entities: on the pool, or in an open transaction. */
export interface Entities {
  readonly em: EntityManager;
}

/** An open transaction. What statements and entities write in it commits together. */
export interface Session extends Sql, Entities {}

/** The database as the rules use it. */
export interface Database extends Sql {
  /** Runs `work` in one transaction: commits what it returns, rolls back when it throws. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
}

/**
 * A statement whose parameters have names: each `:name` in its text takes the value of that name,
 * and a name without a value throws. Made once, when its module loads.
 */
export function statement<Row = Record<string, unknown>>(text: string) {
  const names: string[] = [];
  const numbered = text.replaceAll(/(?<!:):([a-z]\w*)/g, (_, name: string) => {
    const position = names.indexOf(name) + 1;
    return `$${position === 0 ? names.push(name) : position}`;
  });
  return (sql: Sql, values: Readonly<Record<string, unknown>>): Promise<Row[]> =>
    sql.query<Row>(
      numbered,
      names.map((name) => given(values[name], name)),
    );
}

function given(value: unknown, name: string): unknown {
  if (value === undefined) throw new Error(`The statement has no value for :${name}.`);
  return value;
}

/**
 * An array literal of PostgreSQL, of values that need no quotes: ids, numbers, times. It is faster
 * than the driver, which quotes each value.
 */
export function plainArray(values: readonly (string | number | Date | null | undefined)[]): string {
  return `{${values.map((value) => (value instanceof Date ? value.toISOString() : (value ?? 'null'))).join()}}`;
}
