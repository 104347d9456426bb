import type { RowOf } from '../../shared/columns.ts';
import type { Reader } from '../../shared/reader.ts';
import type { Sql } from '../../shared/sql.ts';
import type { Event } from '../entities/event.ts';

type EventRow = RowOf<typeof Event>;

/** Just after the event it names. */
export type FeedPosition = Pick<EventRow, 'xact' | 'id'>;

/** The oldest transaction that may still write. */
const HORIZON = 'pg_snapshot_xmin(pg_current_snapshot())::text::bigint + feed_shift()';

export const BEGINNING: FeedPosition = { xact: 0, id: '' };

export type FeedRow = FeedPosition & Pick<EventRow, 'body'>;

/** Before every event that the feed does not show yet, and after all that it shows. */
export async function findEnd(sql: Sql): Promise<FeedPosition> {
  const [row] = await sql.query<{ xact: number }>(`select ${HORIZON} as xact`);
  return { xact: row!.xact, id: '' };
}

/**
 * Oldest first, in the order of transactions, and none at or after a running one: who continues
 * after the last event seen misses none and sees none twice. A long transaction delays the feed.
 * Events are stored for good.
 */
export function readFeed(sql: Sql, { tenantId, mode }: Reader, after: FeedPosition, limit: number) {
  return sql.query<FeedRow>(
    `select xact, id, body from events
     where tenant_id = $1 and mode = $2 and (xact, id) > ($3, $4)
       and xact < (select ${HORIZON})
     order by xact, id limit $5`,
    [tenantId, mode, after.xact, after.id, limit],
  );
}

export async function findPosition(
  sql: Sql,
  { tenantId, mode }: Reader,
  id: string,
): Promise<FeedPosition | undefined> {
  const [position] = await sql.query<FeedPosition>(
    'select xact, id from events where id = $1 and tenant_id = $2 and mode = $3',
    [id, tenantId, mode],
  );
  return position;
}

/** More than are counted between a backup and the loss of the database. */
const FEED_STEP = 1_000_000_000_000;

/**
 * Moves the feed's end past every event, and past what a reader saw of events a restore lost:
 * another cluster counts transactions from elsewhere, and events would stay hidden or come too
 * early. `isRestored`: where it has counted more, which is not seen here. Runs in a transaction,
 * before anything else is written.
 */
export async function alignFeed(sql: Sql, isRestored = false): Promise<void> {
  if (!isRestored && (await lagOf(sql)) <= 0) return;
  // Waits for transactions that write events, and makes later ones wait.
  await sql.query('lock table events in share row exclusive mode');
  const lag = Math.max(0, await lagOf(sql));
  await sql.query('update event_feed set shift = shift + $1', [lag + FEED_STEP]);
}

/** How far the next transaction's number lags behind the events. */
async function lagOf(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ lag: number | null }>(
    `select max(newest.xact) + 1 - (
       select pg_snapshot_xmax(pg_current_snapshot())::text::bigint + feed_shift()
     ) as lag
     from tenants, unnest(array['live', 'test']) wanted_mode,
     lateral (select xact from events where tenant_id = tenants.id and mode = wanted_mode
       order by xact desc limit 1) newest`,
  );
  return row?.lag ?? 0;
}
