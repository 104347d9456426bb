import type { Sql } from '../../domain/shared/sql.ts';
import type { Stack } from './stack.ts';
import { until } from './until.ts';

/**
 * Sends requests while rows are locked: `hold` locks them, the requests are sent, and
 * once all of them wait, the locks are released. It makes a race certain.
 */
export async function whileHeld<T>(
  { context: { db } }: { context: Pick<Stack['context'], 'db'> },
  hold: (sql: Sql) => Promise<unknown>,
  requests: () => Promise<T>[],
): Promise<T[]> {
  let sent: Promise<T>[] = [];
  await db.transaction(async (sql) => {
    await hold(sql);
    sent = requests();
    await until(`${sent.length} requests that wait`, async () => {
      const [row] = await db.query<{ waiting: number }>(
        `select count(*) as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return row!.waiting >= sent.length;
    });
  });
  return Promise.all(sent);
}

type Held = { context: Pick<Stack['context'], 'db'> };

/** Does something in a transaction that fails where it would wait for a lock for so long. */
export function withoutWaiting<T>(
  { context: { db } }: Held,
  work: (sql: Sql) => Promise<T>,
  longestMs = 1_000,
): Promise<T> {
  return db.transaction(async (sql) => {
    await sql.query(`set local lock_timeout = ${longestMs}`);
    return work(sql);
  });
}

const LOCK_NOT_AVAILABLE = '55P03';

/** True where a transaction waits for a lock, which somebody holds until the test goes on. */
export const waits = (held: Held, work: (sql: Sql) => Promise<unknown>): Promise<boolean> =>
  withoutWaiting(held, work, 50).then(
    () => false,
    (error) => error.code === LOCK_NOT_AVAILABLE || Promise.reject(error),
  );
