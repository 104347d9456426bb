import { type Actor, recordChange } from '../../accounts/audit-log/record-change.ts';
import type { RowOf } from '../../shared/columns.ts';
import { firstIdAt, newId } from '../../shared/ids.ts';
import { invalid, Problem } from '../../shared/problems.ts';
import type { Tx } from '../../shared/tx.ts';
import { DAY_MS } from '../../shared/units.ts';
import { countPending, lockEndpoint } from '../endpoint/find.ts';
import type { EndpointRow } from '../endpoint/secrets.ts';
import type { Event } from '../entities/event.ts';

/** The next request continues. */
const MAX_RESENT = 1_000;
const MAX_READ = 20_000;
/** Well within the time deliveries are stored. */
const MAX_AGE_DAYS = 60;
/** A receiver that has just recovered is not overloaded. */
const APART_MS = 10;

/**
 * Sends each event since `since` that has neither a pending nor a successful delivery once, oldest
 * first, also under races. Throws `not_found`, `validation_failed`, and `invalid_state`.
 */
export async function resendMissed(tx: Tx, actor: Actor, endpointId: string, since: Date) {
  const { sql, now } = tx;
  if (since.getTime() < now.getTime() - MAX_AGE_DAYS * DAY_MS) {
    throw invalid({
      since: `must not be more than ${MAX_AGE_DAYS} days ago: read older events with GET /events`,
    });
  }
  const endpoint = await lockEndpoint(tx, actor, endpointId); // a second request waits here
  if (endpoint.status !== 'enabled')
    throw new Problem('invalid_state', 'The endpoint is disabled. Enable it first.');
  const from = new Date(Math.max(since.getTime(), endpoint.created_at.getTime()));
  const { events, nextSince } = await missedEvents(tx, endpoint, from);
  await createDeliveries(tx, endpoint, events);
  const missed = missedSince(endpoint, now);
  if (missed && from <= missed) endpoint.missed_since = nextSince;
  const note = `${events.length} events since ${from.toISOString()}`;
  await recordChange(tx, actor, 'webhook_endpoint.resent', endpoint.id, note);
  return { endpoint: await countPending(sql, endpoint), scheduled: events.length, nextSince };
}

async function createDeliveries(
  { sql, now, enqueue }: Tx,
  endpoint: EndpointRow,
  events: readonly MissedEvent[],
): Promise<void> {
  const deliveries = events.map(({ id, latest }, index) => ({
    id: newId('dlv', now),
    eventId: id,
    latest,
    dueAt: new Date(now.getTime() + index * APART_MS),
  }));
  await sql.query(
    `insert into deliveries (
       id, event_id, endpoint_id, tenant_id, mode, status, due_at, created_at, resend_of)
     select given.id, given.event_id, $1, $2, $3, 'pending', given.due_at, $4, given.latest
     from unnest($5::text[], $6::text[], $7::timestamptz[], $8::text[])
       as given (id, event_id, due_at, latest)`,
    [
      endpoint.id,
      endpoint.tenant_id,
      endpoint.mode,
      now,
      deliveries.map(({ id }) => id),
      deliveries.map(({ eventId }) => eventId),
      deliveries.map(({ dueAt }) => dueAt),
      deliveries.map(({ latest }) => latest),
    ],
  );
  for (const { id, dueAt } of deliveries)
    enqueue({ queue: 'webhook-deliver', id, group: endpoint.id, dueAt });
}

const TO_REQUEST_MS = 3_600_000;

/** Null: it missed none. Older events are in the feed. */
export function missedSince(
  { missed_since }: Pick<EndpointRow, 'missed_since'>,
  now: Date,
): Date | null {
  const oldest = now.getTime() - MAX_AGE_DAYS * DAY_MS + TO_REQUEST_MS;
  return missed_since && new Date(Math.max(missed_since.getTime(), oldest));
}

type MissedEvent = Pick<RowOf<typeof Event>, 'id' | 'created_at'> & {
  is_missed: boolean;
  latest: string | null;
};

async function missedEvents({ sql }: Tx, endpoint: EndpointRow, from: Date) {
  const read = await sql.query<MissedEvent>(
    `select event.id, event.created_at, known.latest,
       event.type = any($4) and not known.is_known as is_missed
     from (
       select id, created_at, type from events
       where tenant_id = $1 and mode = $2 and id >= $3
       order by id limit ${MAX_READ + 1}
     ) event
     cross join lateral (
       select max(id) as latest,
         coalesce(bool_or(status in ('pending', 'delivered')), false) as is_known
       from deliveries where event_id = event.id and endpoint_id = $5 and event.type = any($4)
     ) known
     order by event.id`,
    [endpoint.tenant_id, endpoint.mode, firstIdAt('evt', from), endpoint.event_types, endpoint.id],
  );
  const missed = read.filter(({ is_missed }) => is_missed);
  const next = missed[MAX_RESENT] ?? read[MAX_READ];
  const events = missed.slice(0, MAX_RESENT).filter(({ id }) => next === undefined || id < next.id);
  return { events, nextSince: next?.created_at ?? null };
}
