import {
  defineEntity,
  type EntitySchema,
  type InferEntity,
  p as properties,
} from '@mikro-orm/core';
import type { Mode } from './reader.ts';
import type { Slot } from './slot.ts';

/** The types of columns: those of the ORM, and ours. */
export const p = {
  ...properties,
  /** Text of ASCII characters, compared byte by byte: ids, hashes, references. */
  ascii: () => properties.text().collation('C'),
  /** An integer below 2^53. */
  bigint: () => properties.bigint('number'),
  /** An amount of money. It never passes 2^53, so it is a number. */
  kobo: () => properties.bigint('number'),
  timestamp: () => properties.datetime().columnType('timestamptz'),
  mode: () => properties.text().$type<Mode>(),
  slot: () => properties.text().$type<Slot>(),
};

/** Columns of rows that belong to a tenant, in one mode. */
export const ofTenant = { tenant_id: p.ascii(), mode: p.mode() };

/** Columns of rows that a queue works on. */
export const ofQueue = {
  /**
   * How often it was claimed. It only ever grows, because a claim is known by it: a worker that
   * comes back late must not meet its own number again.
   */
  tries: p.integer(),
  /** Claims that cost no try. */
  snoozes: p.integer(),
  /** Tries that failed since one last succeeded. */
  failures: p.integer(),
  last_error: p.text().strictNullable(),
  /** Null: nothing is to be done. */
  due_at: p.timestamp().strictNullable(),
};

/**
 * The columns of a table with their types, for rows of SQL and of the ORM. Everything else about it
 * is in `config/migrations`: indexes, checks, foreign keys, defaults.
 */
export const table = <Name extends string, const Columns extends Record<string, object>>(
  tableName: Name,
  columns: Columns,
) => defineEntity({ name: tableName, tableName, properties: columns });

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** A row with its columns in camel case, as the rules that decide have them. */
export type FieldsOf<Entity> = {
  [Column in keyof RowOf<Entity> as CamelCase<Column>]: RowOf<Entity>[Column];
};

/** A row of an entity, the same whether SQL written by hand or the ORM reads it. */
export type RowOf<Entity> = {
  [Column in keyof InferEntity<Entity> & string]: InferEntity<Entity>[Column];
};

/** The columns of a table that may be null, each null. */
export function nullsOf<Entity extends EntitySchema>(entity: Entity): NullsOf<Entity> {
  const columns = Object.entries(entity.meta.properties as Record<string, { nullable?: boolean }>);
  const nulls = columns.flatMap(([column, { nullable }]) => (nullable ? [[column, null]] : []));
  return Object.fromEntries(nulls);
}

type NullsOf<Entity> = {
  [Column in keyof RowOf<Entity> as null extends RowOf<Entity>[Column] ? Column : never]: null;
};
