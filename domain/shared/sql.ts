import type { EntityManager } from '@mikro-orm/core';

/** Runs statements: on the pool, or in an open transaction. */
export interface Sql {
  /**
   * Runs one parameterised statement and returns its rows. `bigint` columns come back as numbers
   * (kobo never passes 2^53).
   */
  query<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/**
 * A kind of write: a statement that writes many rows at once. Its text reads them as `:rows`, a
 * table named `row` whose first column is the `key`, and may return the keys of what it wrote.
 */
export interface RowsWrite {
  name: string;
  /** The columns of `row` with their types. */
  columns: Readonly<Record<string, string>>;
  text: string;
  /** True: of two rows with one key the first is enough. */
  ignoresRepeats: boolean;
  /** True: rows are written in the order they came in. Otherwise in the order of their keys. */
  keepsOrder: boolean;
}

/** One row that a transaction writes, for which nobody waits. */
export interface Write {
  kind: RowsWrite;
  /** Writes with the same key change the same row, and come one after the other. */
  row: Readonly<Record<string, unknown>> & { key: string };
  /** Called where the statement does not return the key; what it returns is thrown. */
  otherwise?: (() => Error | undefined) | undefined;
}

/** Runs statements in a transaction, and sends writes together. */
export interface Writer extends Sql {
  /**
   * Writes with the next statement of the transaction, or at its end: writes that follow each other
   * are one statement, whatever their rows. An error comes from there.
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

/** Makes a kind of write, when its module loads. Returns what makes a write of a row. */
export function rowsWrite<Columns extends Readonly<Record<string, string>> & { key: string }>(
  name: string,
  columns: Columns,
  text: string,
  { ignoresRepeats = false, keepsOrder = false } = {},
) {
  const kind = { name, columns, text, ignoresRepeats, keepsOrder };
  return (
    row: Readonly<Record<keyof Columns, unknown>> & { key: string },
    otherwise?: Write['otherwise'],
  ): Write => ({ kind, row, otherwise });
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
