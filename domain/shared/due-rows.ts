import { type DueRow, type Job, queues, type RowQueue } from '../jobs.ts';
import { plainArray, type Sql } from './sql.ts';

/*
 * Claim, settle, sweep and the age of the oldest due row: the same SQL for every queue of `queues`.
 * Statements for many rows lock them in the order of their ids, so that they cannot deadlock.
 */

/** What every row of a queue has. */
export interface ClaimedRow extends DueRow {
  /** Claims that cost no try. */
  snoozes: number;
  /** Set where the row belongs to a connection. */
  connection_id?: string | null;
}

/**
 * Rows become due by one process's clock and are claimed by another's, so a claim may be this much
 * early.
 */
const CLOCK_SLACK_MS = 1_000;

/**
 * Claims rows for the time of the queue's lease, in one statement. Returns one result for each, in
 * their order: undefined where the row is not due, belongs to another queue now, or was claimed by
 * a job before. Rows are found by their id, never by their due time (hence the `coalesce`, which no
 * index serves): a planner with old statistics would read a whole backlog for every claim.
 * `select` reads the claimed rows as `claimed`, and may join what the job needs besides.
 */
export async function claimRows<Row extends ClaimedRow>(
  sql: Sql,
  queue: RowQueue,
  due: readonly DueRow[],
  now: Date,
  select = 'select * from claimed',
): Promise<(Row | undefined)[]> {
  const { table, where, leaseMs } = queues[queue];
  const rows = await sql.query<Row>(
    `with due as materialized (
       select r.id from ${table} r
       join unnest($1::text[], $2::int[]) as job (id, tries)
         on r.id = job.id and r.tries = job.tries
       where ${where}
         and coalesce(due_at, 'infinity')
           <= $3::timestamptz + ${CLOCK_SLACK_MS} * interval '1 millisecond'
       order by r.id for update of r
     ), claimed as (
       update ${table} r set tries = r.tries + 1, enqueues = 0, enqueued_at = null, due_at = $4
       from due where r.id = due.id returning r.*
     )
     ${select}`,
    [...idsAndTries(due), now, new Date(now.getTime() + leaseMs)],
  );
  const claimed = new Map(rows.map((row) => [row.id, row]));
  return due.map(({ id }) => {
    const row = claimed.get(id);
    claimed.delete(id); // of two jobs for one row in one statement the first gets it
    return row;
  });
}

/** When a claimed row is due again. */
export interface SettledRow extends DueRow {
  /** Null: never. */
  dueAt: Date | null;
  /** True: the claim cost no try. */
  isSnoozed: boolean;
}

/**
 * Records when claimed rows are due again, in one statement. Leaves alone what was claimed again
 * since, what belongs to another queue now, and what is due at that time already.
 */
export async function settleRows(
  sql: Sql,
  queue: RowQueue,
  settled: readonly SettledRow[],
): Promise<void> {
  const { table, where } = queues[queue];
  await sql.query(
    `with settled as materialized (
       select r.id, given.next_due_at, given.snoozed from ${table} r
       join unnest($1::text[], $2::int[], $3::timestamptz[], $4::int[])
           as given (id, tries, next_due_at, snoozed)
         on r.id = given.id and r.tries = given.tries
       where ${where} and due_at is distinct from next_due_at
       order by r.id for update of r
     )
     update ${table} r set due_at = settled.next_due_at, snoozes = r.snoozes + settled.snoozed
     from settled where r.id = settled.id`,
    [
      ...idsAndTries(settled),
      plainArray(settled.map(({ dueAt }) => dueAt)),
      plainArray(settled.map(({ isSnoozed }) => Number(isSnoozed))),
    ],
  );
}

/** Which overdue rows the sweeper enqueues again. */
export interface SweepLimits {
  /**
   * Rows overdue by this much are swept. It is also the wait after the first sweep of a row, which
   * doubles each time.
   */
  overdueMs: number;
  /** The longest of those waits. */
  maxWaitMs: number;
  limit: number;
}

/**
 * Selects the rows of a queue that are overdue and were not enqueued again lately, and counts the
 * enqueue.
 */
export async function takeOverdueRows(
  sql: Sql,
  queue: RowQueue,
  now: Date,
  { overdueMs, maxWaitMs, limit }: SweepLimits,
): Promise<Job[]> {
  const { table, where } = queues[queue];
  const rows = await sql.query<Required<Pick<Job, 'id' | 'tries' | 'enqueues'>>>(
    `update ${table} set enqueues = enqueues + 1, enqueued_at = $1 where id = any(array(
       select id from ${table} where due_at <= $2 and ${where}
         and (enqueued_at is null or enqueued_at <= $1::timestamptz
           - least(2 ^ least(enqueues, 20) * $3, $4) * interval '1 millisecond')
       order by due_at limit $5 for update skip locked))
     returning id, tries, enqueues`,
    [now, new Date(now.getTime() - overdueMs), overdueMs, maxWaitMs, limit],
  );
  return rows.map((row) => ({ queue, ...row }));
}

/**
 * The age of the oldest due row of each queue, in ms; 0: nothing is due. The first figure to look
 * at when work is late.
 */
export async function oldestDueMs(sql: Sql, now: Date): Promise<Record<RowQueue, number>> {
  const names = Object.keys(queues) as RowQueue[];
  const oldest = await Promise.all(
    names.map(async (name) => {
      const { table, where } = queues[name];
      const [row] = await sql.query<{ due_at: Date }>(
        `select due_at from ${table} where due_at <= $1 and ${where} order by due_at limit 1`,
        [now],
      );
      return [name, row ? now.getTime() - row.due_at.getTime() : 0] as const;
    }),
  );
  return Object.fromEntries(oldest) as Record<RowQueue, number>;
}

const idsAndTries = (rows: readonly DueRow[]) => [
  plainArray(rows.map(({ id }) => id)),
  plainArray(rows.map(({ tries }) => tries)),
];
