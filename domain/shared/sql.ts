/** A place to run one statement: the pool, or a transaction in hand. */
export interface Sql {
  /** Runs one parameterised statement and returns its rows. `bigint` columns come back as numbers (kobo never passes 2^53). */
  query<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** The database as the rules see it. */
export interface Database extends Sql {
  /** Runs `work` in one transaction: commits what it returns, rolls back when it throws. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
}

/** An array as PostgreSQL writes it, of values that need no quotes: ids, numbers, times. The driver would quote each, which takes longer. */
export function plainArray(values: readonly (string | number | Date | null | undefined)[]): string {
  return `{${values.map((value) => (value instanceof Date ? value.toISOString() : (value ?? 'null'))).join()}}`;
}
