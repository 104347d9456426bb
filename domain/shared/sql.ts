import type { EntityManager } from '@mikro-orm/core';

/** Runs statements: on the pool, or in an open transaction. */
export interface Sql {
  /**
   * Runs one parameterised statement and returns its rows. `bigint` columns come back as numbers
   * (kobo never passes 2^53).
   */
  query<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** A statement that changes rows, for which nobody waits. */
export interface Write {
  /**
   * Its parts by name, as `with` has them; each may read the ones before it. Writes that change the
   * same rows have a name in common.
   */
  parts: Readonly<Record<string, string>>;
  values: readonly unknown[];
  /** Called where the last part returns no row; what it returns is thrown. */
  otherwise?: () => Error | undefined;
}

/** Runs statements in a transaction, and sends writes together. */
export interface Writer extends Sql {
  /**
   * Writes with the next statement of the transaction, or at its end: writes that follow each other
   * are one statement. An error comes from there.
   */
  write(write: Write): Promise<void>;
}

/** Reads entities: on the pool, or in an open transaction. */
export interface Entities {
  readonly em: EntityManager;
}

/** An open transaction. What statements and entities write in it commits together. */
export interface Session extends Writer, Entities {}

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
  const { numbered, valuesOf } = withNumbers(text);
  return (sql: Sql, values: Named): Promise<Row[]> => sql.query<Row>(numbered, valuesOf(values));
}

/** The same for a write, whose one part has this name. */
export function namedWrite(name: string, text: string) {
  const { numbered, valuesOf } = withNumbers(text);
  return (values: Named): Write => ({ parts: { [name]: numbered }, values: valuesOf(values) });
}

type Named = Readonly<Record<string, unknown>>;

function withNumbers(text: string) {
  const names: string[] = [];
  const numbered = text.replaceAll(/(?<!:):([a-z]\w*)/g, (_, name: string) => {
    const position = names.indexOf(name) + 1;
    return `$${position === 0 ? names.push(name) : position}`;
  });
  const valuesOf = (values: Named) => names.map((name) => given(values[name], name));
  return { numbered, valuesOf };
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
