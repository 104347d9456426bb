import type { EntitySchema } from '@mikro-orm/core';
import type { Sql } from './sql.ts';

export const ROW_DELETED = Symbol('row deleted');
/** Fields of marked columns change in the objects it holds. */
export const FIELDS_ERASED = Symbol('fields erased');

type Erased = string | null | object | typeof ROW_DELETED | typeof FIELDS_ERASED;

/**
 * Marks what may tell who a payer is, and what is stored or done when they are erased. Erasing
 * follows the marks alone.
 */
export function ofPayer<Property extends { '~options': object }>(
  property: Property,
  erased: Erased = null,
): Property {
  Object.assign(property['~options'], { erased });
  return property;
}

export function payerColumns({ meta }: EntitySchema): Record<string, Erased> {
  const properties = Object.entries(meta.properties as Record<string, { erased?: Erased }>);
  return Object.fromEntries(
    properties.flatMap(([column, { erased }]) => (erased === undefined ? [] : [[column, erased]])),
  );
}

export function withoutPayer<Row extends object>(entity: EntitySchema, row: Row): Row {
  return { ...row, ...payerColumns(entity) };
}

/** In rows whose column `key` is one of these. */
export async function eraseColumns(
  sql: Sql,
  entity: EntitySchema,
  key: 'id' | 'charge_id',
  keys: readonly string[],
): Promise<void> {
  const columns = Object.entries(payerColumns(entity));
  if (columns.length === 0) return;
  const places = columns.map(([column], n) => `${column} = $${n + 2}`).join(', ');
  await sql.query(`update ${entity.meta.tableName} set ${places} where ${key} = any($1)`, [
    keys,
    ...columns.map(([, erased]) => erased),
  ]);
}

/** As they are after it. */
export function changedFields(before: object, after: object): Record<string, unknown> {
  const earlier = new Map(Object.entries(before));
  return Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(earlier.get(name)),
    ),
  );
}

export function replaceFields<Shown extends object>(
  shown: Shown,
  fields: Record<string, unknown>,
): Shown {
  const own = Object.entries(fields).filter(([name]) => name in shown);
  return { ...shown, ...Object.fromEntries(own) };
}
