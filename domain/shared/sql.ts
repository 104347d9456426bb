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
 * An array as PostgreSQL writes it, of values that need no quotes: ids, numbers, times. The driver
 * would quote each, which takes longer.
 */
export function plainArray(values: readonly (string | number | Date | null | undefined)[]): string {
  return `{${values.map((value) => (value instanceof Date ? value.toISOString() : (value ?? 'null'))).join()}}`;
}
