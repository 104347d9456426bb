import type { EntityManager } from '@mikro-orm/core';

export interface Sql {
  /** `bigint` comes back as a number. */
  query<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/**
 * One statement for many rows: it reads them as `:rows`, a table `row` whose first column is the
 * `key`, and may return the keys of what it wrote.
 */
export interface RowsWrite {
  name: string;
  columns: Readonly<Record<string, string>>;
  text: string;
  ignoresRepeats: boolean;
  /** Otherwise in the order of their keys. */
  keepsOrder: boolean;
  /** A null leaves the column as it is. */
  nullLeaves: boolean;
  /** Writes of this name may change the same rows, so they are never in one statement. */
  apartFrom: string | null;
}

/** Nobody waits for it. */
export interface Write {
  kind: RowsWrite;
  /** Writes with one key change the same row, one after the other. */
  row: Readonly<Record<string, unknown>> & { key: string };
  /** Where the statement does not return the key; what it returns is thrown. */
  otherwise?: (() => Error | undefined) | undefined;
}

export interface Writer extends Sql {
  /**
   * Sent with the next statement or at the end: writes that follow each other are one statement. An
   * error comes from there.
   */
  write(write: Write): Promise<void>;
}

export interface Entities {
  readonly em: EntityManager;
}

/** It commits together. */
export interface Session extends Writer, Entities {}

export interface Database extends Sql {
  /** Commits what `work` returns, rolls back when it throws. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
}

/**
 * Each `:name` takes the value of that name; one without a value throws. Made when a module loads.
 */
export function statement<Row = Record<string, unknown>>(text: string) {
  const { numbered, valuesOf } = withNumbers(text);
  return (sql: Sql, values: Named): Promise<Row[]> => sql.query<Row>(numbered, valuesOf(values));
}

/** Made when a module loads; what it returns makes writes. */
export function rowsWrite<Columns extends Readonly<Record<string, string>> & { key: string }>(
  name: string,
  columns: Columns,
  text: string,
  {
    ignoresRepeats = false,
    keepsOrder = false,
    nullLeaves = false,
    apartFrom = null,
  }: Partial<Omit<RowsWrite, 'name' | 'columns' | 'text'>> = {},
) {
  const kind = { name, columns, text, ignoresRepeats, keepsOrder, nullLeaves, apartFrom };
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

/** For values that need no quotes: faster than the driver, which quotes each. */
export function plainArray(values: readonly (string | number | Date | null | undefined)[]): string {
  return `{${values.map((value) => (value instanceof Date ? value.toISOString() : (value ?? 'null'))).join()}}`;
}
