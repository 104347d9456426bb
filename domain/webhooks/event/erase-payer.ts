import { replaceFields } from '../../shared/payer-data.ts';
import type { Sql } from '../../shared/sql.ts';
import { firstEventIdOf } from './publish.ts';

/**
 * Changes the data of every event about a row, and removes what endpoints answered. No other change
 * is ever made to an event. Returns how many.
 */
export async function erasePayerFromEvents(
  sql: Sql,
  subjectId: string,
  fields: Record<string, unknown>,
): Promise<number> {
  const events = await sql.query<{ id: string; body: string }>(
    'select id, body from events where subject_id = $1 and id >= $2 order by id for update',
    [subjectId, firstEventIdOf(subjectId)],
  );
  for (const { id, body } of events) {
    const event = JSON.parse(body);
    const erased = { ...event, data: replaceFields(event.data, fields) };
    await sql.query('update events set body = $2 where id = $1 and subject_id = $3', [
      ...[id, JSON.stringify(erased), subjectId],
    ]);
    await sql.query(
      `update delivery_tries set answer = null
       where delivery_id in (select id from deliveries where event_id = $1) and answer is not null`,
      [id],
    );
  }
  return events.length;
}
