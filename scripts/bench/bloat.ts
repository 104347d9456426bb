import type { Sql } from '../../domain/shared/sql.ts';
import { rounded } from './figures.ts';

const MB = 2 ** 20;
/** Smaller ones are not worth a vacuum. */
const MIN_BYTES = 8 * MB;

interface Relation {
  name: string;
  bytes: number;
  dead: number;
  free: number;
}

/**
 * Tables and indexes by their size in MB: how much of each is dead rows, and how much is free, in
 * percent. The leaves of an index are full at 90.
 */
export async function readBloat(sql: Sql) {
  await sql.query('create extension if not exists pgstattuple');
  const tables = await sql.query<Relation>(
    `select relname as name, table_len as bytes, dead_tuple_percent as dead, free_percent as free
     from pg_class, pgstattuple(oid) where ${isLarge('r')} order by table_len desc`,
    [MIN_BYTES],
  );
  const indexes = await sql.query<{ name: string; bytes: number; full: number }>(
    `select relname as name, index_size as bytes, avg_leaf_density as full
     from pg_class, pgstatindex(oid) where ${isLarge('i')} order by index_size desc`,
    [MIN_BYTES],
  );
  return {
    tables: Object.fromEntries(
      tables.map(({ name, bytes, dead, free }) => [name, { mb: mbOf(bytes), dead, free }]),
    ),
    indexes: Object.fromEntries(
      indexes.map(({ name, bytes, full }) => [name, { mb: mbOf(bytes), full }]),
    ),
  };
}

const isLarge = (kind: 'r' | 'i') =>
  `relkind = '${kind}' and relnamespace = 'public'::regnamespace and pg_relation_size(oid) >= $1`;

const mbOf = (bytes: number) => rounded(bytes / MB, 1);
