import { type QueueSpec, queues, type RowQueue } from '../jobs.ts';
import type { Sql } from './sql.ts';

/*
 * Finds the groups of a queue that have due rows. The cost grows with the
 * groups that wait, never with their rows: from each group the index on (group, due_at) leads to
 * the next one. A queue whose groups have one row each is read by due time.
 */

/** The groups after `$1`, each with its earliest due time. */
function groupsAfter({ table, where, group }: QueueSpec): string {
  const next = (after: string) => `
    select ${group} as id, due_at from ${table}
    where ${where} and due_at is not null and ${group} > ${after}
    order by ${group}, due_at limit 1`;
  return `visited as (
    (${next('$1')})
    union all
    select next.id, next.due_at from visited cross join lateral (${next('visited.id')}) next
  )`;
}

/** A part of the groups of a queue. */
export interface GroupPage {
  /** Groups with ids after this one; '' for all. */
  after: string;
  /** At most so many groups are looked at. */
  limit: number;
}

/** Groups that have due rows, and where the next page begins; null: this was the last one. */
export interface DueGroups {
  groups: string[];
  next: string | null;
}

/** The groups of a page that have due rows. */
export async function findDueGroups(
  sql: Sql,
  queue: RowQueue,
  now: Date,
  { after, limit }: GroupPage,
): Promise<DueGroups> {
  const spec: QueueSpec = queues[queue];
  const rows = await sql.query<{ id: string; is_due: boolean }>(
    spec.oneRowPerGroup
      ? `select ${spec.group} as id, true as is_due from ${spec.table}
         where ${spec.where} and due_at <= $3 and ${spec.group} > $1 order by ${spec.group} limit $2`
      : `with recursive ${groupsAfter(spec)} select id, due_at <= $3 as is_due from visited limit $2`,
    [after, limit, now],
  );
  return {
    groups: rows.filter(({ is_due }) => is_due).map(({ id }) => id),
    next: rows.length < limit ? null : rows.at(-1)!.id,
  };
}

/**
 * The age of the oldest due row of each queue, in ms; 0: nothing is due. The first figure to look
 * at when work is late.
 */
export async function oldestDueMs(sql: Sql, now: Date): Promise<Record<RowQueue, number>> {
  const names = Object.keys(queues) as RowQueue[];
  const oldest = await Promise.all(
    names.map(async (name) => {
      const spec: QueueSpec = queues[name];
      const [row] = spec.oneRowPerGroup
        ? await sql.query<Oldest>(
            `select min(due_at) as due_at from ${spec.table} where ${spec.where}`,
          )
        : await sql.query<Oldest>(
            `with recursive ${groupsAfter(spec)} select min(due_at) as due_at from visited`,
            [''],
          );
      const dueAt = row?.due_at;
      return [name, dueAt ? Math.max(0, now.getTime() - dueAt.getTime()) : 0] as const;
    }),
  );
  return Object.fromEntries(oldest) as Record<RowQueue, number>;
}

interface Oldest {
  due_at: Date | null;
}

/**
 * How many rows of a queue are due, counted up to `most`. Rows that wait for later cost nothing.
 */
export async function countDueRows(
  sql: Sql,
  queue: RowQueue,
  now: Date,
  most: number,
): Promise<number> {
  const spec: QueueSpec = queues[queue];
  const { table, where, group, oneRowPerGroup } = spec;
  const ofGroup = `
    select from ${table} where ${where} and due_at is not null
      and (${group}, due_at) >= (visited.id, '-infinity') and (${group}, due_at) <= (visited.id, $2)
    limit $3`;
  const [row] = oneRowPerGroup
    ? await sql.query<{ count: number }>(
        `select count(*)::int from (
           select from ${table} where ${where} and due_at <= $1 limit $2) counted`,
        [now, most],
      )
    : await sql.query<{ count: number }>(
        `with recursive ${groupsAfter(spec)} select count(*)::int from (
           select from visited cross join lateral (${ofGroup}) due
           where visited.due_at <= $2 limit $3) counted`,
        ['', now, most],
      );
  return row!.count;
}
