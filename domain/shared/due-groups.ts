import { type QueueSpec, queues, type RowQueue } from '../jobs.ts';
import type { Sql } from './sql.ts';

/*
 * Finds the groups of a queue that have due rows. The cost grows with the
 * groups that wait, never with their rows: from each group the index on (group, due_at) leads to
 * the next one. A queue whose groups have one row each is read by due time, and so is one whose
 * rows mostly wait for later, while few are due.
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
  /** Absent: the first page. Else what the page before said is next. */
  after?: string | undefined;
  /** At most so many groups are looked at, or rows. */
  limit: number;
}

/** Groups that have due rows, and where the next page begins; null: this was the last one. */
export interface DueGroups {
  groups: string[];
  next: string | null;
}

/**
 * The groups of a page that have due rows, of each queue that has any or has more pages, in one
 * statement. Groups with one row each come in one page, those that are due longest.
 */
export async function findDueGroups(
  sql: Sql,
  names: readonly RowQueue[],
  now: Date,
  { after, limit }: GroupPage,
): Promise<Map<RowQueue, DueGroups>> {
  const rows = await sql.query<{ queue: RowQueue; groups: string[]; next: string | null }>(
    pagesOf(names, after === undefined),
    [after ?? '', limit, now],
  );
  return new Map(rows.map(({ queue, ...page }) => [queue, page]));
}

/** One text for the same queues, so that it is prepared once. */
function pagesOf(names: readonly RowQueue[], isFirst: boolean): string {
  return names
    .map((name) => {
      const [looked, next] = pageOf(queues[name], isFirst);
      return `select '${name}' as queue, ${next} as next,
          coalesce(array_agg(distinct id order by id) filter (where is_due), '{}') as groups
        from (${looked}) looked having bool_or(is_due) or count(*) = $2`;
    })
    .join(' union all ');
}

/** SQL: what is looked at, and what the next page is after; '': no group was visited yet. */
function pageOf(spec: QueueSpec, isFirst: boolean): [looked: string, next: string] {
  const { table, where, group, oneRowPerGroup, isFoundByTime } = spec;
  const byTime = `select ${group} as id, true as is_due from ${table}
    where ${where} and due_at <= $3 and ${group} > $1 order by due_at limit $2`;
  if (oneRowPerGroup) return [byTime, 'null'];
  if (isFoundByTime && isFirst) return [byTime, `case when count(*) = $2 then '' end`];
  const walk = `with recursive ${groupsAfter(spec)} select id, due_at <= $3 as is_due
    from visited limit $2`;
  return [walk, 'case when count(*) = $2 then max(id) end'];
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
      const [row] = isByTime(spec)
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

const isByTime = ({ oneRowPerGroup, isFoundByTime }: QueueSpec) => oneRowPerGroup || isFoundByTime;

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
  const { table, where, group } = spec;
  const ofGroup = `
    select from ${table} where ${where} and due_at is not null
      and (${group}, due_at) >= (visited.id, '-infinity') and (${group}, due_at) <= (visited.id, $2)
    limit $3`;
  const [row] = isByTime(spec)
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
