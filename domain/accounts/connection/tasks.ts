import { newId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/tx.ts';

export type ConnectionTaskName = 'disputes' | 'settlements' | 'audit';

/** A task that the connections of an adapter have. */
export interface WantedTask {
  adapter: string;
  task: ConnectionTaskName;
}

/**
 * Creates the wanted tasks that connections lack, due at once: at most `limit`; returns how many. Disabled
 * connections have tasks too: their payments are still disputed and settled.
 */
export async function ensureConnectionTasks(
  { sql, now }: Pick<Tx, 'sql' | 'now'>,
  wanted: readonly WantedTask[],
  limit: number,
): Promise<number> {
  const lacking = await sql.query<{ id: string; task: ConnectionTaskName }>(
    `select id, task from connections c join unnest($1::text[], $2::text[]) as wanted (adapter, task) using (adapter)
     where not exists (select from connection_tasks d where d.connection_id = c.id and d.task = wanted.task) limit $3`,
    [wanted.map(({ adapter }) => adapter), wanted.map(({ task }) => task), limit],
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
