import type { EntityManager } from '@mikro-orm/core';

/** Where one statement can be run: the pool, or an open transaction. */
export interface Sql {
  /**
   * Runs one parameterised statement and returns its rows. `bigint` columns come back as numbers
   * (kobo never passes 2^53).
   */
  query<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** Where entities are read: the pool, or an open transaction. */
export interface Entities {
  readonly em: EntityManager;
}

/** An open transaction: what is written by statements and through entities commits together. */
export interface Session extends Sql, Entities {}

/** The database as most rules see it. */
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
 * An array as PostgreSQL writes it, of values that need no quotes: ids, numbers, times. The driver
 * would quote each, which takes longer.
 */
export function plainArray(values: readonly (string | number | Date | null | undefined)[]): string {
  return `{${values.map((value) => (value instanceof Date ? value.toISOString() : (value ?? 'null'))).join()}}`;
}
