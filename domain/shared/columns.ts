import { type EntitySchema, type InferEntity, p } from '@mikro-orm/core';

/** Text of ASCII characters, compared byte by byte: ids, hashes, references. */
export const ascii = () => p.text().collation('C');

/** An amount of money. It never passes 2^53, so it is a number. */
export const kobo = () => p.bigint('number');

export const timestamp = () => p.datetime().columnType('timestamptz');

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
