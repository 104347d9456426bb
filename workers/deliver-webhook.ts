import type { Context } from '../config/context.ts';
import type { PostResult } from '../config/webhook-client.ts';
import { nextTryAt } from '../domain/webhook/schedule.ts';
import { signatureHeaders } from '../domain/webhook/sign.ts';
import { type ClaimedRow, type Duty, done, later, never, type Outcome } from './pool.ts';

interface DeliveryRow extends ClaimedRow {
  event_id: string;
  endpoint_id: string;
  tenant_id: string;
  mode: string;
}

interface Sendable {
  body: string;
  url: string;
  secret: string;
  status: string;
}

/** Sends one event to one endpoint and logs the try. Every event arrives at least once, or its delivery says why not. */
export const deliverWebhook: Duty<DeliveryRow> = { queue: 'webhook-deliver', work: deliver };

async function deliver(context: Context, delivery: DeliveryRow): Promise<Outcome> {
  const [sendable] = await context.db.query<Sendable>(
    `select events.body, endpoint.url, endpoint.secret, endpoint.status from events, webhook_endpoints endpoint
     where events.id = $1 and endpoint.id = $2`,
    [delivery.event_id, delivery.endpoint_id],
  );
  const { body, url, secret, status } = sendable!;
  if (status !== 'enabled') {
    await finish(context, delivery, 'cancelled');
    return never('the endpoint is disabled');
  }
  const at = context.clock();
  const result = await context.webhooks.post(url, headersOf(context, delivery, { body, secret }, at), body);
  return record(context, delivery, at, result);
}

function headersOf({ vault }: Context, delivery: DeliveryRow, { body, secret }: Pick<Sendable, 'body' | 'secret'>, at: Date) {
  const owner = { table: 'webhook_endpoints', row: delivery.endpoint_id, tenant: delivery.tenant_id, mode: delivery.mode };
  const signed = { eventId: delivery.event_id, body, timestamp: Math.floor(at.getTime() / 1000) };
  return {
    'content-type': 'application/json',
    'user-agent': 'Payment-Collection-Service/1',
    ...signatureHeaders(signed, [vault.open(secret, owner)]),
  };
}

/** Tries are counted by what is on record: a worker that died before it sent took nothing from the receiver's day. */
const LOG_TRY = `
with made as (
  select count(*)::int as tries, min(at) as first_at from delivery_tries where delivery_id = $1
)
insert into delivery_tries (delivery_id, try, at, duration_ms, status_code, error, answer)
select $1, made.tries + 1, $2, $3, $4, $5, $6 from made
returning try as tries, coalesce((select first_at from made), $2) as first_at`;

/** Success is 2xx and nothing else. The try is logged whatever came of it. */
async function record(context: Context, delivery: DeliveryRow, at: Date, result: PostResult): Promise<Outcome> {
  const { statusCode, error, answer, durationMs } = result;
  const [made] = await context.db.query<{ tries: number; first_at: Date }>(LOG_TRY, [
    delivery.id,
    at,
    durationMs,
    statusCode,
    error,
    answer,
  ]);
  if (statusCode !== null && statusCode >= 200 && statusCode < 300) {
    await finish(context, delivery, 'delivered');
    return done;
  }
  const endedAt = context.clock();
  const { tries, first_at: firstAt } = made!;
  const failed = { tries, endedAt, firstAt, retryAfterMs: retryAfterMs(result, endedAt) };
  const dueAt = nextTryAt(failed, context.random());
  if (dueAt) return later(dueAt, error ?? `HTTP ${statusCode}`);
  await finish(context, delivery, 'exhausted');
  return never('no try is left');
}

function finish({ db, clock }: Context, { id, tries }: DeliveryRow, status: 'delivered' | 'exhausted' | 'cancelled') {
  return db.query('update deliveries set status = $3, due_at = null, finished_at = $4 where id = $1 and tries = $2', [
    id,
    tries,
    status,
    clock(),
  ]);
}

/** `Retry-After` of a 429 or 503: seconds or a date; anything else counts as not said. */
function retryAfterMs({ statusCode, retryAfter }: PostResult, now: Date): number | null {
  if ((statusCode !== 429 && statusCode !== 503) || retryAfter === null) return null;
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * 1_000;
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
