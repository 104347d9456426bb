import { newId } from '../ids.ts';
import type { Phase } from '../phase.ts';

/** Adapters whose providers tell of no dispute by their API: there is nothing to ask. */
const withoutDisputes = ['monnify'];

/**
 * Gives connections the duties they lack, due at once: new ones, and those of a time before there were duties. At most `limit`, and
 * returns how many. Disabled connections have theirs too: what was paid through them is still asked about.
 */
export async function ensureDuties({ sql, now }: Pick<Phase, 'sql' | 'now'>, limit: number): Promise<number> {
  const lacking = await sql.query<{ id: string }>(
    `select id from connections c where adapter <> all($1)
       and not exists (select from connection_duties where connection_id = c.id and duty = 'disputes') limit $2`,
    [withoutDisputes, limit],
  );
  const rows = await sql.query(
    `insert into connection_duties (id, connection_id, duty, due_at)
     select id, connection_id, 'disputes', $3 from unnest($1::text[], $2::text[]) as lacking (id, connection_id)
     on conflict (connection_id, duty) do nothing returning 1`,
    [lacking.map(() => newId('cdy', now)), lacking.map(({ id }) => id), now],
  );
  return rows.length;
}
