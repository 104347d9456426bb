import type { RowOf } from '../../shared/columns.ts';
import type { Reader } from '../../shared/reader.ts';
import type { Sql } from '../../shared/sql.ts';
import type { Event } from '../entities/event.ts';

type EventRow = RowOf<typeof Event>;

/** A position in the feed: just after the event it names. */
export type FeedPosition = Pick<EventRow, 'xact' | 'id'>;

/** The position before every event. */
export const BEGINNING: FeedPosition = { xact: 0, id: '' };

/** An event of the feed, with the bytes its webhooks send. */
export type FeedRow = FeedPosition & Pick<EventRow, 'body'>;

/**
 * Events after a position, oldest first, at most `limit`. They are ordered by the transaction that
 * wrote them, and only those older than every running transaction are returned: whatever commits
 * later comes after them. So a reader who continues after the last event it saw misses none and
 * sees none twice. A long transaction delays the feed. Events are stored for good, so a reader may
 * have been away for any time.
 */
export function readFeed(
  sql: Sql,
  { tenantId, mode }: Reader,
  after: FeedPosition,
  limit: number,
): Promise<FeedRow[]> {
  return sql.query<FeedRow>(
    `select xact, id, body from events
     where tenant_id = $1 and mode = $2 and (xact, id) > ($3, $4)
       and xact < (select pg_snapshot_xmin(pg_current_snapshot())::text::bigint + feed_shift())
     order by xact, id limit $5`,
    [tenantId, mode, after.xact, after.id, limit],
  );
}

/** The position of an event; undefined where this tenant and mode has none with this id. */
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

/** More transactions than a database counts between a backup and its loss. */
const FEED_STEP = 1_000_000_000_000;

/**
 * Moves the end of the feed past every event, and past all that a reader may have seen of events
 * that a restore lost. A dump that is restored into another cluster counts its transactions from
 * elsewhere: without this, events would stay hidden, or new ones would come before those already
 * read. Seen here where that cluster has counted less; `isRestored` says it where it has counted
 * more. (A promoted replica and a restore to a moment need nothing: see `feed_shift`.) Runs in a
 * transaction, before anything is written to a restored database.
 */
export async function alignFeed(sql: Sql, isRestored = false): Promise<void> {
  if (!isRestored && (await lagOf(sql)) <= 0) return;
  // Waits for transactions that write events, and makes later ones wait.
  await sql.query('lock table events in share row exclusive mode');
  const lag = Math.max(0, await lagOf(sql));
  await sql.query('update event_feed set shift = shift + $1', [lag + FEED_STEP]);
}

/**
 * By how much the number of the next transaction is too low to come after every event. Read from
 * the index, tenant by tenant.
 */
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
