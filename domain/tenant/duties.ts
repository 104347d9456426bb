import { newId } from '../ids.ts';
import type { Phase } from '../phase.ts';

export type DutyName = 'disputes' | 'settlements' | 'audit';

/**
 * Gives connections the duties they lack, due at once: new ones, and those of a time before there were duties. At most `limit`, and
 * returns how many. Disabled connections have theirs too: what was paid through them is still asked about, and still paid out.
 */
export async function ensureDuties(
  { sql, now }: Pick<Phase, 'sql' | 'now'>,
  limit: number,
): Promise<number> {
  const lacking = await sql.query<{ id: string; duty: DutyName }>(
    `select id, duty from connections c cross join unnest($1::text[]) as duty
     where not (duty = 'disputes' and adapter = any($2))
       and not exists (select from connection_duties d where d.connection_id = c.id and d.duty = duty.duty) limit $3`,
    [['disputes', 'settlements', 'audit'] satisfies DutyName[], withoutDisputes, limit],
  );
  const rows = await sql.query(
    `insert into connection_duties (id, connection_id, duty, due_at)
     select id, connection_id, duty, $4 from unnest($1::text[], $2::text[], $3::text[]) as lacking (id, connection_id, duty)
     on conflict (connection_id, duty) do nothing returning 1`,
    [
      lacking.map(() => newId('cdy', now)),
      lacking.map(({ id }) => id),
      lacking.map(({ duty }) => duty),
      now,
    ],
  );
  return rows.length;
}

/** Adapters whose providers tell of no dispute by their API: there is nothing to ask. */
const withoutDisputes = ['monnify'];
