import { firstIdAt, type IdPrefix } from './ids.ts';
import type { Database, Sql } from './sql.ts';
import { DAY_MS } from './units.ts';

/**
 * Partitioned by time: ranges of ids, so that keys, lists and look-ups stay as without partitions.
 * Rows of other times are in the default partition.
 */
export interface Partitioned {
  table: string;
  /** The row's id, or that of what it belongs to. */
  column: string;
  prefix: IdPrefix;
  periodDays: number;
  /** Dropped with the first partition that is wholly older; null: never. */
  keptDays: number | null;
  /** Such a row outlives its partition, in the default one. */
  keptWhile?: string;
}

/** Whoever waits for a partition's lock keeps others waiting: it gives up soon. */
const LOCK_TIMEOUT_MS = 2_000;
/** More would block the table for long: they stay, and are deleted when they are old. */
const MAX_MOVED = 50_000;
const ADVISORY_LOCK = 7_201_003;

/** Moves the default partition's rows into them. Returns how many. */
export async function createPartitions(
  { db, now }: { db: Database; now: Date },
  partitioned: Partitioned,
  aheadDays: number,
): Promise<number> {
  const periodMs = partitioned.periodDays * DAY_MS;
  const existing = new Set(await partitionsOf(db, partitioned));
  let created = 0;
  for (
    let startMs = Math.floor(now.getTime() / periodMs) * periodMs;
    startMs <= now.getTime() + aheadDays * DAY_MS;
    startMs += periodMs
  ) {
    const name = nameOfPartition(partitioned, new Date(startMs));
    if (existing.has(name)) continue;
    const range = { name, from: new Date(startMs), to: new Date(startMs + periodMs) };
    if (await inTurn(db, (sql) => createPartition(sql, partitioned, range))) created++;
  }
  return created;
}

/** Returns how many. */
export async function dropOldPartitions(
  { db, now }: { db: Database; now: Date },
  partitioned: Partitioned,
): Promise<number> {
  const { periodDays, keptDays } = partitioned;
  if (keptDays === null) return 0;
  const newest = new Date(now.getTime() - (keptDays + periodDays) * DAY_MS);
  const isOld = (name: string) => name <= nameOfPartition(partitioned, newest);
  const old = (await partitionsOf(db, partitioned)).filter(isOld);
  let dropped = 0;
  for (const name of old)
    if (await inTurn(db, (sql) => dropPartition(sql, partitioned, name))) dropped++;
  return dropped;
}

/** Oldest first, without the default one. */
async function partitionsOf(sql: Sql, { table }: Partitioned): Promise<string[]> {
  const rows = await sql.query<{ name: string }>(
    `select relname as name from pg_inherits join pg_class on oid = inhrelid
     where inhparent = $1::regclass and relname <> $1 || '_default' order by relname`,
    [table],
  );
  return rows.map(({ name }) => name);
}

/** UTC. Names sort by time. */
export function nameOfPartition({ table }: Partitioned, start: Date): string {
  return `${table}_${start.toISOString().slice(0, 10).replaceAll('-', '')}`;
}

/** False: another process creates or drops. */
function inTurn(db: Database, work: (sql: Sql) => Promise<boolean>): Promise<boolean> {
  return db.transaction(async (sql) => {
    const [lock] = await sql.query<{ taken: boolean }>(
      `select pg_try_advisory_xact_lock($1) as taken,
         set_config('lock_timeout', '${LOCK_TIMEOUT_MS}', true)`,
      [ADVISORY_LOCK],
    );
    return lock!.taken && work(sql);
  });
}

/**
 * Inserts lock the default partition after the table, but attaching blocks no insert into the
 * table, so none waits for the other.
 */
async function createPartition(
  sql: Sql,
  { table, column, prefix }: Partitioned,
  { name, from, to }: { name: string; from: Date; to: Date },
): Promise<boolean> {
  const [first, end] = [firstIdAt(prefix, from), firstIdAt(prefix, to)];
  const isInRange = `${column} >= '${first}' and ${column} < '${end}'`;
  await sql.query(`lock table ${table}_default in access exclusive mode`);
  const [found] = await sql.query<{ count: number }>(
    `select count(*)::int from (
       select from ${table}_default where ${isInRange} limit ${MAX_MOVED + 1}) found`,
  );
  if (found!.count > MAX_MOVED) return false;
  await sql.query('select create_partition($1, $2, $3, $4)', [table, name, first, end]);
  return true;
}

async function dropPartition(sql: Sql, { table, keptWhile }: Partitioned, name: string) {
  await sql.query('select detach_partition($1, $2)', [table, name]);
  if (keptWhile) await sql.query(`insert into ${table} select * from ${name} where ${keptWhile}`);
  await sql.query('select drop_partition($1, $2)', [table, name]);
  return true;
}
