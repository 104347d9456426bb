import { newId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/tx.ts';

export type ConnectionTaskName = 'disputes' | 'settlements' | 'audit';

/**
 * Gives connections the tasks they lack, due at once: new ones, and those of a time before there were tasks. At most `limit`, and
 * returns how many. Disabled connections have theirs too: what was paid through them is still asked about, and still paid out.
 */
export async function ensureConnectionTasks(
  { sql, now }: Pick<Tx, 'sql' | 'now'>,
  limit: number,
): Promise<number> {
  const lacking = await sql.query<{ id: string; task: ConnectionTaskName }>(
    `select id, task from connections c cross join unnest($1::text[]) as task
     where not (task = 'disputes' and adapter = any($2))
       and not exists (select from connection_tasks d where d.connection_id = c.id and d.task = task.task) limit $3`,
    [['disputes', 'settlements', 'audit'] satisfies ConnectionTaskName[], withoutDisputes, limit],
  );
  const rows = await sql.query(
    `insert into connection_tasks (id, connection_id, task, due_at)
     select id, connection_id, task, $4 from unnest($1::text[], $2::text[], $3::text[]) as lacking (id, connection_id, task)
     on conflict (connection_id, task) do nothing returning 1`,
    [
      lacking.map(() => newId('ctk', now)),
      lacking.map(({ id }) => id),
      lacking.map(({ task }) => task),
      now,
    ],
  );
  return rows.length;
}

/** Adapters whose providers tell of no dispute by their API: there is nothing to ask. */
const withoutDisputes = ['monnify'];
