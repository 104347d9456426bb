import { type DueRow, queues, type RowQueue } from '../jobs.ts';
import { plainArray, type Sql } from './sql.ts';

/*
 * Claim and settle: the same SQL for every queue of `queues`.
 * Statements for many rows lock them in the order of their ids, so that they cannot deadlock.
 */

/** What every row of a queue has. */
export interface ClaimedRow extends DueRow {
  /** When it became due, before the claim. */
  due_since?: Date;
  /** Claims that cost no try. */
  snoozes: number;
  /** Tries that failed since one last succeeded. */
  failures: number;
  /** Set where the row belongs to a connection. */
  connection_id?: string | null;
  /** Set where the row's group is known to fail. */
  failing_since?: Date | null;
}

/** How many rows of a group to claim. */
export interface WantedRows {
  group: string;
  count: number;
  /** This row alone; absent: the next ones. */
  row?: string;
}

/**
 * Rows become due by one process's clock and are claimed by another's, so a claim may be this much
 * early.
 */
const CLOCK_SLACK_MS = 100;

/**
 * Claims the next due rows of groups for the time of the queue's lease, oldest first, in one
 * statement: at most `count` of each. Rows that another process is claiming are skipped. The rows
 * of a group are compared as pairs and claimed by their ids, so that no planner reads more of the
 * table than these. `select` ends the statement: it reads the claimed rows as `claimed`, and may
 * join what the job needs besides.
 */
export async function claimRows<Row extends ClaimedRow>(
  sql: Sql,
  queue: RowQueue,
  wanted: readonly WantedRows[],
  now: Date,
  select = 'select * from claimed',
): Promise<Row[]> {
  const { table, where, group, leaseMs } = queues[queue];
  const isOne = wanted.some(({ row }) => row) ? 'and id = any($5)' : '';
  return sql.query<Row>(
    `with due as materialized (
       select next.id, next.due_at as due_since from unnest($1::text[], $2::int[]) as wanted (id, count)
       cross join lateral (
         select id, due_at from ${table}
         where ${where} and due_at is not null ${isOne}
           and (${group}, due_at) >= (wanted.id, '-infinity')
           and (${group}, due_at)
             <= (wanted.id, $3::timestamptz + ${CLOCK_SLACK_MS} * interval '1 millisecond')
         order by ${group}, due_at limit wanted.count for update skip locked
       ) next
     ), updated as (
       update ${table} set tries = tries + 1, due_at = $4
       where id = any(array(select id from due)) returning *
     ), claimed as (
       select updated.*, due.due_since from updated join due on due.id = updated.id
     )
     ${select}`,
    [
      plainArray(wanted.map((one) => one.group)),
      plainArray(wanted.map(({ count }) => count)),
      now,
      new Date(now.getTime() + leaseMs),
      ...(isOne ? [plainArray(wanted.map(({ row }) => row!))] : []),
    ],
  );
}

/**
 * The rows that are `given`, looked up one by one: of a table without statistics, as today's
 * partition is at first, a join would rather read all that fit `where`. They are locked as they are
 * given: ordered like the ids of every table.
 */
const lockedOf = (table: string) =>
  `cross join lateral (
     select * from ${table} where id = given.id and tries = given.tries for update) r`;

/** When a claimed row is due again. */
export interface SettledRow extends DueRow {
  /** Null: never. */
  dueAt: Date | null;
  /** True: the claim cost no try. */
  isSnoozed: boolean;
  /** Why the try failed; absent: it did not. */
  error?: string;
}

/** A row that waits, and when it is to be due instead. */
export interface HastenedRow extends DueRow {
  dueAt: Date;
}

/**
 * Makes rows due sooner, in one statement. Leaves alone what was claimed again since, what belongs
 * to another queue now, and what is due before that time or never.
 */
export async function hastenRows(
  sql: Sql,
  queue: RowQueue,
  hastened: readonly HastenedRow[],
): Promise<void> {
  const { table, where } = queues[queue];
  await sql.query(
    `with hastened as materialized (
       select r.id, given.sooner_at from (
         select * from unnest($1::text[], $2::int[], $3::timestamptz[])
           as given (id, tries, sooner_at) order by id collate "C"
       ) given ${lockedOf(table)}
       where ${where} and coalesce(due_at, '-infinity') > sooner_at
     )
     update ${table} r set due_at = hastened.sooner_at from hastened where r.id = hastened.id`,
    [...idsAndTries(hastened), plainArray(hastened.map(({ dueAt }) => dueAt))],
  );
}

/**
 * Records when claimed rows are due again, in one statement. Leaves alone what was claimed again
 * since, what belongs to another queue now, and what is due at that time already. Counts the tries
 * that failed.
 */
export async function settleRows(
  sql: Sql,
  queue: RowQueue,
  settled: readonly SettledRow[],
): Promise<void> {
  const { table, where } = queues[queue];
  await sql.query(
    `with settled as materialized (
       select r.id, given.next_due_at, given.snoozed, given.error from (
         select * from unnest($1::text[], $2::int[], $3::timestamptz[], $4::int[], $5::text[])
           as given (id, tries, next_due_at, snoozed, error) order by id collate "C"
       ) given ${lockedOf(table)}
       where ${where} and due_at is distinct from next_due_at
     )
     update ${table} r set due_at = settled.next_due_at, snoozes = r.snoozes + settled.snoozed,
       failures = r.failures + (settled.error is not null)::int,
       last_error = coalesce(settled.error, r.last_error)
     from settled where r.id = settled.id`,
    [
      ...idsAndTries(settled),
      plainArray(settled.map(({ dueAt }) => dueAt)),
      plainArray(settled.map(({ isSnoozed }) => Number(isSnoozed))),
      settled.map(({ error }) => (error === undefined ? null : storable(error))),
    ],
  );
}

/** Counts a try that failed of a row that is left to its lease. */
export async function countFailure(
  sql: Sql,
  queue: RowQueue,
  { id, tries, error }: DueRow & { error: string },
): Promise<void> {
  await sql.query(
    `update ${queues[queue].table} set failures = failures + 1, last_error = $3
     where id = $1 and tries = $2`,
    [id, tries, storable(error)],
  );
}

/** Forgets the failures of a row, whichever queue it belongs to now: a try has succeeded. */
export async function forgetFailures(sql: Sql, queue: RowQueue, id: string): Promise<void> {
  await sql.query(
    `update ${queues[queue].table} set failures = 0, last_error = null
     where id = $1 and failures > 0`,
    [id],
  );
}

const MAX_ERROR_CHARACTERS = 300;

/** The beginning of an error's text, without what PostgreSQL refuses in a text. */
function storable(error: string): string {
  return error.slice(0, MAX_ERROR_CHARACTERS).replaceAll('\0', '').toWellFormed();
}

const idsAndTries = (rows: readonly DueRow[]) => [
  plainArray(rows.map(({ id }) => id)),
  plainArray(rows.map(({ tries }) => tries)),
];
