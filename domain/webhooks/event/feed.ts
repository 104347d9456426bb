import type { RowOf } from '../../shared/columns.ts';
import type { Reader } from '../../shared/reader.ts';
import type { Sql } from '../../shared/sql.ts';
import type { Event } from '../entities/event.ts';

type EventRow = RowOf<typeof Event>;

/** Where a page of the feed ends: with the event that it names. */
export type FeedPosition = Pick<EventRow, 'xact' | 'id'>;

/** Before every event. */
export const BEGINNING: FeedPosition = { xact: 0, id: '' };

/** An event of the feed, with the bytes its webhooks send. */
export type FeedRow = FeedPosition & Pick<EventRow, 'body'>;

/**
 * Events behind a position, oldest first, at most `limit`. They stand in the order in which the
 * transactions that wrote them began to write, and only those below every transaction still running
 * are shown: whatever is committed later stands behind what was shown, so a reader who goes on from
 * the last event it saw misses none and sees none twice. A transaction that takes long holds the
 * feed up. Events are kept for good, so a reader may have been away for any time.
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
       and xact < (select pg_snapshot_xmin(pg_current_snapshot())::text::bigint + shift
         from event_feed)
     order by xact, id limit $5`,
    [tenantId, mode, after.xact, after.id, limit],
  );
}

/** Where an event stands; undefined: there is none of this tenant and mode with this id. */
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

/**
 * Puts the end of the feed behind every event there is. It is not when the database was restored
 * into a new cluster, which counts its transactions from the start again: events would stay hidden,
 * and new ones would go before those already read. To be run in a transaction, before anything is
 * written to a restored database. Changes nothing otherwise.
 */
export async function alignFeed(sql: Sql): Promise<void> {
  if ((await lagOf(sql)) <= 0) return;
  // Waits until whoever is writing an event has ended; whoever comes now waits for us.
  await sql.query('lock table events in share row exclusive mode');
  await sql.query('update event_feed set shift = shift + $1', [await lagOf(sql)]);
}

/**
 * How much the next transaction would have to be later to be behind every event. Read from the
 * index, tenant by tenant.
 */
async function lagOf(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ lag: number | null }>(
    `select max(newest.xact) + 1 - (
       select pg_snapshot_xmax(pg_current_snapshot())::text::bigint + shift from event_feed
     ) as lag
     from tenants, unnest(array['live', 'test']) wanted_mode,
     lateral (select xact from events where tenant_id = tenants.id and mode = wanted_mode
       order by xact desc limit 1) newest`,
  );
  return row?.lag ?? 0;
}
