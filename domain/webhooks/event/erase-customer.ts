import type { Sql } from '../../shared/sql.ts';
import { firstEventIdOf } from './publish.ts';

/** What stands in the place of a customer. */
export interface ErasedCustomer {
  email: string;
  name: null;
  phone: null;
}

/**
 * Replaces the customer and the metadata in every event about one of these rows, oldest first, and
 * removes what endpoints answered to it. The one change that is ever made to an event: its id, its
 * place in the feed and its amounts stay. Returns how many events were changed.
 */
export async function eraseCustomer(
  sql: Sql,
  subjectIds: readonly string[],
  erased: ErasedCustomer,
): Promise<number> {
  const [oldest] = [...subjectIds].sort();
  if (oldest === undefined) return 0;
  const events = await sql.query<{ id: string; body: string }>(
    'select id, body from events where subject_id = any($1) and id >= $2 for update',
    [subjectIds, firstEventIdOf(oldest)],
  );
  for (const { id, body } of events) {
    await sql.query('update events set body = $2 where id = $1', [
      id,
      withoutCustomer(body, erased),
    ]);
    await sql.query(
      `update delivery_tries set answer = null
       where delivery_id in (select id from deliveries where event_id = $1) and answer is not null`,
      [id],
    );
  }
  return events.length;
}

function withoutCustomer(body: string, customer: ErasedCustomer): string {
  const event = JSON.parse(body);
  return JSON.stringify({ ...event, data: { ...event.data, customer, metadata: {} } });
}
