import { firstIdAt, type IdPrefix } from './ids.ts';
import type { Database, Sql } from './sql.ts';
import { DAY_MS } from './units.ts';

/**
 * A table that is partitioned by time. Its partitions are ranges of ids, which hold the time they
 * were made at: so keys, lists and look-ups by id stay as they are in a table without partitions.
 * Rows of a time without a partition are in the default partition.
 */
export interface Partitioned {
  table: string;
  /** The column of the ranges: the row's id, or the id of what the row belongs to. */
  column: string;
  prefix: IdPrefix;
  /** Every partition covers so many days. */
  periodDays: number;
  /** Rows are dropped with the first partition that is older in all its parts; null: never. */
  keptDays: number | null;
  /** SQL condition: such a row outlives its partition, in the default partition. */
  keptWhile?: string;
}

/**
 * A partition is locked for a moment when it is created or dropped. Whoever waits for that lock
 * keeps others waiting: it gives up soon, and the next run tries again.
 */
const LOCK_TIMEOUT_MS = 2_000;
/**
 * Rows that move out of the default partition when theirs is created. Where there are more, they
 * stay: moving them would block the table for long, and they are deleted there when they are old.
 */
const MAX_MOVED = 50_000;
/** One process at a time creates or drops partitions. */
const ADVISORY_LOCK = 7_201_003;

/**
 * Creates the missing partitions of now and of the next `aheadDays`, and moves rows into them that
 * the default partition has. Returns how many.
 */
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
    const name = nameOf(partitioned, new Date(startMs));
    if (existing.has(name)) continue;
    const range = { name, from: new Date(startMs), to: new Date(startMs + periodMs) };
    if (await inTurn(db, (sql) => createPartition(sql, partitioned, range))) created++;
  }
  return created;
}

/** Drops the partitions whose rows are all past their retention. Returns how many. */
export async function dropOldPartitions(
  { db, now }: { db: Database; now: Date },
  partitioned: Partitioned,
): Promise<number> {
  const { periodDays, keptDays } = partitioned;
  if (keptDays === null) return 0;
  const newest = new Date(now.getTime() - (keptDays + periodDays) * DAY_MS);
  const isOld = (name: string) => name <= nameOf(partitioned, newest);
  const old = (await partitionsOf(db, partitioned)).filter(isOld);
  let dropped = 0;
  for (const name of old)
    if (await inTurn(db, (sql) => dropPartition(sql, partitioned, name))) dropped++;
  return dropped;
}

/** The names of a table's partitions, oldest first, without the default one. */
async function partitionsOf(sql: Sql, { table }: Partitioned): Promise<string[]> {
  const rows = await sql.query<{ name: string }>(
    `select relname as name from pg_inherits join pg_class on oid = inhrelid
     where inhparent = $1::regclass and relname <> $1 || '_default' order by relname`,
    [table],
  );
  return rows.map(({ name }) => name);
}

/** The name of the partition that begins on this day, UTC. Names sort by time. */
function nameOf({ table }: Partitioned, start: Date): string {
  return `${table}_${start.toISOString().slice(0, 10).replaceAll('-', '')}`;
}

/** Runs `work` in a transaction; false without it where another process creates or drops. */
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
 * The default partition is locked before the table: whoever inserts locks them the other way round,
 * but attaching a partition blocks no insert into the table itself, so none waits for the other.
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

async function dropPartition(
  sql: Sql,
  { table, keptWhile }: Partitioned,
  name: string,
): Promise<boolean> {
  await sql.query('select detach_partition($1, $2)', [table, name]);
  if (keptWhile) await sql.query(`insert into ${table} select * from ${name} where ${keptWhile}`);
  await sql.query('select drop_partition($1, $2)', [table, name]);
  return true;
}
