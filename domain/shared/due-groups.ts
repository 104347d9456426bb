import { type GroupedRow, type Job, type QueueSpec, queues, type RowQueue } from '../jobs.ts';
import type { Sql } from './sql.ts';

/*
 * Finds the groups of a queue that have due rows, and their first rows. The cost grows with the
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

/** Which overdue rows the sweeper enqueues. */
export interface SweepLimits {
  /** Rows overdue by this much are swept. */
  overdueMs: number;
  /** The wait before a row is swept a second time; it doubles each time, up to `maxWaitMs`. */
  waitMs: number;
  maxWaitMs: number;
  /** Only the first so many due rows of a group are enqueued at any time. */
  rowsPerGroup: number;
}

/** With the number of the queue: each queue has one sweeper at a time in the whole deployment. */
const ADVISORY_LOCK = 7_201;
const queueNames = Object.keys(queues);

/** Rows to enqueue, and where the next page begins; null: this was the last one. */
export interface SweptPage {
  jobs: Job[];
  next: string | null;
}

type SweptRow = GroupedRow & Required<Pick<Job, 'enqueues'>>;

interface Swept {
  /** False: another process is sweeping the queue. */
  taken: boolean;
  visited: number;
  last: string | null;
  rows: SweptRow[];
}

/**
 * Selects overdue rows that were not enqueued again lately, and counts the enqueue. Of each group
 * these are the first ones, in turn: the first of every group, then the second of each. One
 * statement does it, so that a sweep that finds nothing costs one round trip. Returns undefined
 * while another process is sweeping the queue.
 */
export async function takeOverdueRows(
  sql: Sql,
  queue: RowQueue,
  now: Date,
  limits: SweepLimits,
  page: GroupPage,
): Promise<SweptPage | undefined> {
  const spec: QueueSpec = queues[queue];
  const { overdueMs, waitMs, maxWaitMs, rowsPerGroup } = limits;
  const [swept] = await sql.query<Swept>(spec.oneRowPerGroup ? sweepByTime(spec) : sweep(spec), [
    page.after,
    page.limit,
    now,
    new Date(now.getTime() - overdueMs),
    waitMs,
    maxWaitMs,
    rowsPerGroup,
    ADVISORY_LOCK,
    queueNames.indexOf(queue),
  ]);
  const { taken, rows, visited, last } = swept!;
  if (!taken) return undefined;
  const jobs = inTurn(rows).map((row) => ({ ...row, queue, isSwept: true }));
  return { jobs, next: visited < page.limit ? null : last };
}

const SWEEPER = 'sweeper as materialized (select pg_try_advisory_xact_lock($8, $9) as taken)';
const IS_SWEEPER = '(select taken from sweeper)';

const NOT_ENQUEUED_LATELY = `(enqueued_at is null or enqueued_at
  <= $3::timestamptz - least(2 ^ least(enqueues, 20) * $5, $6) * interval '1 millisecond')`;

const enqueue = ({ table, group }: QueueSpec, ids: string) => `
  update ${table} set enqueues = enqueues + 1, enqueued_at = $3
  where id = any(array(${ids}))
  returning id, tries, enqueues, ${group} as "group", due_at`;

const ROWS = `coalesce((select json_agg(json_build_object('id', id, 'tries', tries,
  'enqueues', enqueues, 'group', "group") order by due_at) from enqueued), '[]') as rows`;

/**
 * Locks only what it enqueues: claims skip locked rows, so a row that was enqueued lately would
 * lose its job to a lock of the next sweep.
 */
const sweep = (spec: QueueSpec) => `
with recursive ${SWEEPER}, ${groupsAfter(spec)}, page as materialized (
  select id, due_at from visited where ${IS_SWEEPER} limit $2
), first as materialized (
  select row.id from page cross join lateral (
    select id, enqueues, enqueued_at from ${spec.table}
    where ${spec.where} and due_at is not null
      and (${spec.group}, due_at) >= (page.id, '-infinity') and (${spec.group}, due_at) <= (page.id, $4)
    order by ${spec.group}, due_at limit $7
  ) row where page.due_at <= $4 and ${NOT_ENQUEUED_LATELY}
), enqueued as (
  ${enqueue(
    spec,
    `select id from ${spec.table} where id = any(array(select id from first))
     for update skip locked`,
  )}
)
select ${IS_SWEEPER} as taken, (select count(*) from page)::int as visited,
  (select max(id) from page) as last, ${ROWS}`;

/** Rows that are enqueued are not found again, so every page begins at the start. */
const sweepByTime = (spec: QueueSpec) => `
with ${SWEEPER}, enqueued as (
  ${enqueue(
    spec,
    `select id from ${spec.table} where ${IS_SWEEPER} and ${spec.where} and due_at <= $4 and ${NOT_ENQUEUED_LATELY}
     and $7::int > 0 order by due_at limit $2 for update skip locked`,
  )}
)
select ${IS_SWEEPER} as taken, (select count(*) from enqueued)::int as visited,
  $1::text as last, ${ROWS}`;

/** The first row of each group, then the second of each, and so on. */
function inTurn(rows: readonly SweptRow[]): SweptRow[] {
  const groups = [...Map.groupBy(rows, ({ group }) => group).values()];
  const most = Math.max(0, ...groups.map(({ length }) => length));
  return Array.from({ length: most }, (_, n) => groups.flatMap((group) => group[n] ?? [])).flat();
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
