import { partitionedTables } from '../../domain/partitioned-tables.ts';
import { firstIdAt } from '../../domain/shared/ids.ts';
import { nameOfPartition, type Partitioned } from '../../domain/shared/partitions.ts';
import type { Database, Sql } from '../../domain/shared/sql.ts';
import { DAY_MS } from '../../domain/shared/units.ts';

/**
 * Lets today's partition of each table end at the first of `turns`, and the next ones at the
 * others: as at the midnight on which a period ends, rows come into an empty table without
 * statistics.
 */
export async function turnPartitions(db: Database, now: Date, turns: readonly Date[]) {
  for (const each of partitionedTables) await db.transaction((sql) => turn(sql, each, now, turns));
}

async function turn(sql: Sql, partitioned: Partitioned, now: Date, turns: readonly Date[]) {
  const { table, prefix, periodDays } = partitioned;
  const periodMs = periodDays * DAY_MS;
  const startMs = Math.floor(now.getTime() / periodMs) * periodMs;
  const bounds = [new Date(startMs), ...turns, new Date(startMs + periodMs)];
  const [first, ...rest] = bounds.slice(0, -1).map((from, n) => ({
    name: nameOfPartition(partitioned, new Date(startMs + n * DAY_MS)),
    from: firstIdAt(prefix, from),
    to: firstIdAt(prefix, bounds[n + 1]!),
  }));
  const { name, from, to } = first!;
  await sql.query('select detach_partition($1, $2)', [table, name]);
  await sql.query(
    `alter table ${table} attach partition ${name} for values from ('${from}') to ('${to}')`,
  );
  for (const next of rest)
    await sql.query('select create_partition($1, $2, $3, $4)', [
      table,
      next.name,
      next.from,
      next.to,
    ]);
}
