import {
  defineEntity,
  type EntitySchema,
  type InferEntity,
  p as properties,
} from '@mikro-orm/core';
import type { Mode } from './reader.ts';
import type { Slot } from './slot.ts';

export const p = {
  ...properties,
  /** Compared byte by byte. */
  ascii: () => properties.text().collation('C'),
  /** Below 2^53. */
  bigint: () => properties.bigint('number'),
  /** Never passes 2^53. */
  kobo: () => properties.bigint('number'),
  timestamp: () => properties.datetime().columnType('timestamptz'),
  mode: () => properties.text().$type<Mode>(),
  slot: () => properties.text().$type<Slot>(),
};

export const ofTenant = { tenant_id: p.ascii(), mode: p.mode() };

export const ofQueue = {
  /** Only grows: a claim is known by it, and a late worker must not meet its own number. */
  tries: p.integer(),
  snoozes: p.integer(),
  /** In a row. */
  failures: p.integer(),
  last_error: p.text().strictNullable(),
  due_at: p.timestamp().strictNullable(),
};

/** Indexes, checks, keys and defaults are in `config/migrations`. */
export const table = <Name extends string, const Columns extends Record<string, object>>(
  tableName: Name,
  columns: Columns,
) => defineEntity({ name: tableName, tableName, properties: columns });

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** In camel case, for the rules that decide. */
export type FieldsOf<Entity> = {
  [Column in keyof RowOf<Entity> as CamelCase<Column>]: RowOf<Entity>[Column];
};

/** Whether SQL or the ORM reads it. */
export type RowOf<Entity> = {
  [Column in keyof InferEntity<Entity> & string]: InferEntity<Entity>[Column];
};

export function nullsOf<Entity extends EntitySchema>(entity: Entity): NullsOf<Entity> {
  const columns = Object.entries(entity.meta.properties as Record<string, { nullable?: boolean }>);
  const nulls = columns.flatMap(([column, { nullable }]) => (nullable ? [[column, null]] : []));
  return Object.fromEntries(nulls);
}

type NullsOf<Entity> = {
  [Column in keyof RowOf<Entity> as null extends RowOf<Entity>[Column] ? Column : never]: null;
};
