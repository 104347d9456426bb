import type { Job } from '../../jobs.ts';
import type { RowOf } from '../../shared/columns.ts';
import type { ClaimedRow } from '../../shared/due-rows.ts';
import { newId } from '../../shared/ids.ts';
import { plainArray, rowsWrite, type Sql, statement } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import type { ConnectionTask } from '../entities/connection.ts';
import type { StoredConnection } from './connection.ts';

export type ConnectionTaskName = RowOf<typeof ConnectionTask>['task'];

export type ClaimedTask<Progress = null> = ClaimedRow &
  Pick<RowOf<typeof ConnectionTask>, 'connection_id' | 'done_at' | 'due_at'> & {
    /** The rest of a round that was cut short, with dates as text. */
    progress: Progress | null;
    connection: StoredConnection;
  };

/** Part of the claim. */
export const SELECT_TASKS = `
select claimed.*, row_to_json(o) as connection
from claimed join connections o on o.id = claimed.connection_id`;

export interface TaskRound {
  progress: object | null;
  /** When the round ended; null: it has not. */
  doneAt: Date | null;
  /** When the next round is due; null: the job's outcome sets it. */
  dueAt: Date | null;
}

export type EndedRound = TaskRound & { task: Omit<ClaimedTask<unknown>, 'connection'> };

/**
 * Records rounds, but not of a task that was claimed again. One made due before the end of its
 * lease stays due: what it is to find may have come after this round read.
 */
export async function recordRounds(sql: Sql, rounds: readonly EndedRound[]): Promise<void> {
  await sql.query(
    `with ended as materialized (
       select t.id, given.progress, given.done_at, given.next_due_at, given.leased_until
       from connection_tasks t
       join unnest($1::text[], $2::int[], $3::text[], $4::timestamptz[], $5::timestamptz[],
           $6::timestamptz[]) as given (id, tries, progress, done_at, next_due_at, leased_until)
         on t.id = given.id and t.tries = given.tries
       order by t.id for update of t
     )
     update connection_tasks t set progress = ended.progress::json,
       done_at = coalesce(ended.done_at, t.done_at),
       due_at = case when t.due_at < ended.leased_until then least(t.due_at, ended.next_due_at)
         else coalesce(ended.next_due_at, t.due_at) end
     from ended where t.id = ended.id`,
    [
      plainArray(rounds.map(({ task }) => task.id)),
      plainArray(rounds.map(({ task }) => task.tries)),
      rounds.map(({ progress }) => progress && JSON.stringify(progress)),
      plainArray(rounds.map(({ doneAt }) => doneAt)),
      plainArray(rounds.map(({ dueAt }) => dueAt)),
      plainArray(rounds.map(({ task }) => task.due_at)),
    ],
  );
}

/**
 * Creates the missing tasks of at most `limit` connections, disabled ones too, due at once. Returns
 * how many lacked any; an index of each connection's task names finds them.
 */
export async function ensureConnectionTasks(
  { sql, now }: Pick<Tx, 'sql' | 'now'>,
  wanted: readonly { adapter: string; task: ConnectionTaskName }[],
  limit: number,
): Promise<number> {
  const byAdapter = Map.groupBy(wanted, ({ adapter }) => adapter);
  const tasksOf = (adapter: string) => (byAdapter.get(adapter) ?? []).map(({ task }) => task);
  const adapters = [...byAdapter.keys()];
  const names = adapters.map((adapter) => tasksOf(adapter).join(' '));
  const lacking = await sql.query<{ id: string; adapter: string }>(LACKING, [
    adapters,
    names,
    limit,
  ]);
  const missing = lacking.flatMap(({ id, adapter }) =>
    tasksOf(adapter).map((task) => ({ id, task })),
  );
  await createTasks(sql, {
    ids: missing.map(() => newId('ctk', now)),
    connectionIds: missing.map(({ id }) => id),
    tasks: missing.map(({ task }) => task),
    now,
    adapters,
    names,
    lacking: lacking.map(({ id }) => id),
  });
  return lacking.length;
}

const createTasks = statement(`
  with created as (
    insert into connection_tasks (id, connection_id, task, due_at)
    select id, connection_id, task, :now
      from unnest(:ids::text[], :connectionIds::text[], :tasks::text[])
        as missing (id, connection_id, task)
    on conflict (connection_id, task) do nothing
  )
  update connections c set tasks = wanted.names
  from unnest(:adapters::text[], :names::text[]) as wanted (adapter, names)
  where c.adapter = wanted.adapter and c.id = any(:lacking)`);

const LACKING = `
  select id, adapter from unnest($1::text[], $2::text[]) as wanted (adapter, names)
  cross join lateral (
    (select id from connections c
     where (c.adapter, tasks) >= (wanted.adapter, '') and (c.adapter, tasks) < (wanted.adapter, names)
     order by c.adapter, tasks limit $3)
    union all
    (select id from connections c
     where (c.adapter, tasks) > (wanted.adapter, names)
       and (c.adapter, tasks) <= (wanted.adapter, 'zzz')
     order by c.adapter, tasks limit $3)
  ) lacking limit $3`;

export async function startTaskNow(
  { sql, now, enqueue }: Tx,
  connectionId: string,
  task: ConnectionTaskName,
): Promise<void> {
  const due = await sql.query<{ id: string }>(
    `update connection_tasks set due_at = $3
     where connection_id = $1 and task = $2 and (due_at is null or due_at > $3)
     returning id`,
    [connectionId, task, now],
  );
  for (const { id } of due) enqueue({ queue: queueOf[task], id, group: connectionId });
}

/** Brings a task forward to `dueAt`, without a job: a sweep finds it then. */
export async function makeTaskDueBy(
  { write }: Tx,
  connectionId: string,
  task: ConnectionTaskName,
  dueAt: Date,
): Promise<void> {
  const key = `${connectionId}/${task}/${dueAt.getTime()}`;
  await write(taskDueBy({ key, connection_id: connectionId, task, due_at: dueAt }));
}

const taskDueBy = rowsWrite(
  'task',
  { key: 'text', connection_id: 'text', task: 'text', due_at: 'timestamptz' },
  `update connection_tasks t set due_at = row.due_at
  from :rows
  where t.connection_id = row.connection_id and t.task = row.task and t.due_at > row.due_at`,
  { ignoresRepeats: true },
);

const queueOf = {
  disputes: 'dispute-check',
  settlements: 'settlement-reconcile',
  audit: 'payment-audit',
  payments: 'payments-list',
  refunds: 'refunds-list',
  books: 'books-check',
} as const satisfies Record<ConnectionTaskName, Job['queue']>;
