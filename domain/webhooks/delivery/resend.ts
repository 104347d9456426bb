import { type Actor, recordChange } from '../../accounts/audit-log/record-change.ts';
import type { Job } from '../../jobs.ts';
import { firstIdAt, newId } from '../../shared/ids.ts';
import { invalid, Problem } from '../../shared/problems.ts';
import type { Tx } from '../../shared/tx.ts';
import { type EndpointRow, findEndpoint } from '../endpoint/endpoint.ts';
import { type DeliveryRow, findDelivery, noSuchDelivery } from './delivery.ts';

interface Resendable {
  event_id: string | null;
  endpoint_id: string;
  status: string;
  endpoint_status: string;
  deleted_at: Date | null;
}

/**
 * Sends a delivery's event to its endpoint again: a new delivery with tries of its own. One that still waits is cancelled in its favour.
 * Throws `not_found`, and `invalid_state` for a test or where its endpoint takes nothing.
 */
export async function resendDelivery(
  tx: Tx,
  actor: Actor,
  id: string,
): Promise<{ row: DeliveryRow; jobs: Job[] }> {
  const { sql, now } = tx;
  const { tenantId, mode } = actor;
  const [found] = await sql.query<Resendable>(
    `select d.event_id, d.endpoint_id, d.status, endpoint.status as endpoint_status, endpoint.deleted_at
     from deliveries d join webhook_endpoints endpoint on endpoint.id = d.endpoint_id
     where d.id = $1 and d.tenant_id = $2 and d.mode = $3 for update of d`,
    [id, tenantId, mode],
  );
  if (!found) throw noSuchDelivery();
  refuseUnsendable(found);
  if (found.status === 'pending') {
    await sql.query(
      `update deliveries set status = 'cancelled', due_at = null, finished_at = $2 where id = $1`,
      [id, now],
    );
  }
  const newDelivery = newId('dlv', now);
  await sql.query(
    `insert into deliveries (id, event_id, endpoint_id, tenant_id, mode, status, due_at, created_at, resend_of)
     values ($1, $2, $3, $4, $5, 'pending', $6, $6, $7)`,
    [newDelivery, found.event_id, found.endpoint_id, tenantId, mode, now, id],
  );
  await recordChange(tx, actor, 'delivery.resent', id, newDelivery);
  return {
    row: await findDelivery(sql, actor, newDelivery),
    jobs: [{ queue: 'webhook-deliver', id: newDelivery, tries: 0 }],
  };
}

function refuseUnsendable({ event_id, endpoint_status, deleted_at }: Resendable): void {
  if (event_id === null)
    throw new Problem('invalid_state', 'This was a test delivery. Send a new test instead.');
  if (deleted_at) throw new Problem('invalid_state', 'The endpoint this went to is deleted.');
  if (endpoint_status !== 'enabled')
    throw new Problem('invalid_state', 'The endpoint is disabled. Enable it first.');
}

/** Deliveries made by one request, and events it looks at: the next one goes on. */
const MOST_RESENT = 1_000;
const MOST_LOOKED_AT = 20_000;
/** Well within the time for which it is known what arrived. */
const LONGEST_AGO_DAYS = 60;
const DAY_MS = 24 * 3_600_000;
/** One after the other, so that a receiver that has just come back is not run over. */
const APART_MS = 10;

/** What a request to send what was missed came to. */
export interface Resent {
  endpoint: EndpointRow;
  scheduled: number;
  /** Where the next request has to begin; null: nothing is left. */
  nextSince: Date | null;
}

/**
 * Sends an endpoint every event of its types since `since` (or since it was made, if that is later) that neither arrived nor is on its
 * way, oldest first, at most `MOST_RESENT` of them. Asked for twice, or at once, it sends each event once. Throws `not_found`,
 * `validation_failed` for a time too long ago, and `invalid_state` for a disabled endpoint.
 */
export async function resendSince(
  tx: Tx,
  actor: Actor,
  endpointId: string,
  since: Date,
): Promise<Resent & { jobs: Job[] }> {
  const { sql, now } = tx;
  if (since.getTime() < now.getTime() - LONGEST_AGO_DAYS * DAY_MS) {
    throw invalid({
      since: `must not be more than ${LONGEST_AGO_DAYS} days ago: read older events with GET /events`,
    });
  }
  const endpoint = await findEndpoint(sql, actor, endpointId, true); // twins wait here
  if (endpoint.status !== 'enabled')
    throw new Problem('invalid_state', 'The endpoint is disabled. Enable it first.');
  const from = new Date(Math.max(since.getTime(), endpoint.created_at.getTime()));
  const { events, nextSince } = await missedEvents(tx, endpoint, from);
  const made = events.map(({ id, latest }, place) => ({
    id: newId('dlv', now),
    eventId: id,
    latest,
    dueAt: new Date(now.getTime() + place * APART_MS),
  }));
  await sql.query(
    `insert into deliveries (id, event_id, endpoint_id, tenant_id, mode, status, due_at, created_at, resend_of)
     select made.id, made.event_id, $1, $2, $3, 'pending', made.due_at, $4, made.latest
     from unnest($5::text[], $6::text[], $7::timestamptz[], $8::text[]) as made (id, event_id, due_at, latest)`,
    [
      endpoint.id,
      actor.tenantId,
      actor.mode,
      now,
      made.map(({ id }) => id),
      made.map(({ eventId }) => eventId),
      made.map(({ dueAt }) => dueAt),
      made.map(({ latest }) => latest),
    ],
  );
  const missed = missedSince(endpoint, now);
  if (missed && from <= missed) {
    await sql.query('update webhook_endpoints set missed_since = $2 where id = $1', [
      endpoint.id,
      nextSince,
    ]);
  }
  await recordChange(
    tx,
    actor,
    'webhook_endpoint.resent',
    endpoint.id,
    `${made.length} events since ${from.toISOString()}`,
  );
  const jobs = made.map(
    ({ id, dueAt }): Job => ({ queue: 'webhook-deliver', id, tries: 0, dueAt }),
  );
  return {
    endpoint: await findEndpoint(sql, actor, endpointId),
    scheduled: made.length,
    nextSince,
    jobs,
  };
}

/** Time to ask for what an answer says was missed. */
const TO_ASK_MS = 3_600_000;

/** Since when an endpoint missed what can still be sent: older events are in the feed alone. Null: nothing. */
export function missedSince(
  { missed_since }: Pick<EndpointRow, 'missed_since'>,
  now: Date,
): Date | null {
  const oldest = now.getTime() - LONGEST_AGO_DAYS * DAY_MS + TO_ASK_MS;
  return missed_since && new Date(Math.max(missed_since.getTime(), oldest));
}

interface MissedEvent {
  id: string;
  created_at: Date;
  /** Of the endpoint's types, and neither arrived nor on its way. */
  is_missed: boolean;
  /** Its latest delivery to this endpoint, if any. */
  latest: string | null;
}

async function missedEvents({ sql }: Tx, endpoint: EndpointRow, from: Date) {
  const looked = await sql.query<MissedEvent>(
    `select event.id, event.created_at, event.type = any($4) and not known.is_known as is_missed, known.latest
     from (
       select id, created_at, type from events
       where tenant_id = $1 and mode = $2 and id >= $3
       order by id limit ${MOST_LOOKED_AT + 1}
     ) event
     cross join lateral (
       select max(id) as latest, coalesce(bool_or(status in ('pending', 'delivered')), false) as is_known
       from deliveries where event_id = event.id and endpoint_id = $5 and event.type = any($4)
     ) known
     order by event.id`,
    [endpoint.tenant_id, endpoint.mode, firstIdAt('evt', from), endpoint.event_types, endpoint.id],
  );
  const missed = looked.filter(({ is_missed }) => is_missed);
  const next = missed[MOST_RESENT] ?? looked[MOST_LOOKED_AT];
  const events = missed
    .slice(0, MOST_RESENT)
    .filter(({ id }) => next === undefined || id < next.id);
  return { events, nextSince: next?.created_at ?? null };
}
