import { type Batcher, createBatcher } from '../config/batcher.ts';
import type { Context } from '../config/context.ts';
import { retryBriefly } from '../config/retry-briefly.ts';
import type { PostResult } from '../config/webhook-client.ts';
import type { DueRow } from '../domain/jobs.ts';
import { nextRetryAt } from '../domain/shared/retry.ts';
import { decideTry, type TryDecision } from '../domain/webhooks/delivery/decide-try.ts';
import {
  createEndpointLimiter,
  type EndpointLimiter,
} from '../domain/webhooks/delivery/endpoint-limiter.ts';
import { type EndedTry, recordTries } from '../domain/webhooks/delivery/record-tries.ts';
import {
  cancelDeliveries,
  type DeliveryToSend,
  makeDeliveriesDue,
  SELECT_DELIVERIES_TO_SEND,
} from '../domain/webhooks/delivery/to-send.ts';
import { disableEndpoint, recordFailure } from '../domain/webhooks/endpoint/disable.ts';
import { deliveryHeaders } from '../domain/webhooks/endpoint/secrets.ts';
import { completed, discard, type JobHandler, type Outcome, retry, snooze } from './job-handler.ts';

/**
 * A delivery over its endpoint's limit is due again after this long, or up to twice as long. A
 * request that ends makes it due earlier.
 */
const OVER_LIMIT_MS = 15_000;

/** What the deliveries of one process share. */
interface Deliverer {
  context: Context;
  limiter: EndpointLimiter;
  records: Batcher<EndedTry, undefined>;
  cancels: Batcher<DueRow, undefined>;
  /** Deliveries over a limit whose snooze is not recorded yet, by id. */
  settling: Map<string, Promise<void>>;
}

/**
 * Creates the handler that sends events to endpoints and records the tries. Every event arrives at
 * least once, or its delivery says why not. Each process has one handler, with limits of its own
 * for each endpoint.
 */
export function createWebhookDeliverer(context: Context): JobHandler<DeliveryToSend> {
  const { db, clock } = context;
  const deliverer: Deliverer = {
    context,
    limiter: createEndpointLimiter(),
    records: writesOf((ended) => recordTries(db, ended)),
    cancels: writesOf((claimed) => cancelDeliveries(db, claimed, clock())),
    settling: new Map(),
  };
  return {
    queue: 'webhook-deliver',
    select: SELECT_DELIVERIES_TO_SEND,
    handle: (_context, rows) => rows.map((delivery) => deliver(deliverer, delivery)),
  };
}

/** Tries are recorded even where the database is away for a moment: the statement is repeated. */
function writesOf<Item>(write: (items: readonly Item[]) => Promise<void>) {
  return createBatcher<Item, undefined>(async (items) => {
    await retryBriefly(() => write(items));
    return items.map(() => undefined);
  });
}

async function deliver(deliverer: Deliverer, delivery: DeliveryToSend): Promise<Outcome> {
  const { context, limiter, cancels } = deliverer;
  const { endpoint_id: endpointId, failing_since: failingSince } = delivery;
  if (delivery.endpoint_status === 'disabled') {
    await cancels.load(delivery);
    return discard('the endpoint is disabled', fieldsOf(delivery));
  }
  const at = context.clock();
  const headers = sign(context, delivery, at);
  if (!headers) return snooze(nextRetryAt(delivery.tries, at), 'the webhook could not be signed');
  if (!limiter.acquire(endpointId, failingSince !== null, delivery))
    return waitForSlot(deliverer, delivery);
  return send(deliverer, delivery, headers, at);
}

/**
 * Undefined where the master key of the secret is missing. An operator has to add it, so that costs
 * no try.
 */
function sign(
  { vault, log }: Context,
  delivery: DeliveryToSend,
  at: Date,
): Record<string, string> | undefined {
  const endpoint = { ...delivery, id: delivery.endpoint_id };
  const event = { id: delivery.event_id, body: delivery.body };
  try {
    return deliveryHeaders(vault, endpoint, event, at);
  } catch (error) {
    log.error('webhook not signed', { ...fieldsOf(delivery), error: (error as Error).stack });
    return undefined;
  }
}

function waitForSlot({ context, settling }: Deliverer, { id }: DeliveryToSend): Outcome {
  const { promise, resolve } = Promise.withResolvers<void>();
  settling.set(id, promise);
  const ms = Math.round(OVER_LIMIT_MS * (1 + context.random()));
  return snooze(
    new Date(context.clock().getTime() + ms),
    'the endpoint has as many requests in flight as it may',
    {
      onSettled() {
        settling.delete(id);
        resolve();
      },
    },
  );
}

async function send(
  deliverer: Deliverer,
  delivery: DeliveryToSend,
  headers: Record<string, string>,
  at: Date,
): Promise<Outcome> {
  const { context, limiter, records } = deliverer;
  const { clock, random, webhooks } = context;
  const result = await webhooks.post(delivery.url, headers, delivery.body).catch((stopping) => {
    limiter.release(delivery.endpoint_id, false);
    throw stopping; // the process ends: this was no try
  });
  const made = { at, ...result };
  const endedAt = clock();
  const decision = decideTry(made, delivery, endedAt, random());
  const waiting = limiter.release(delivery.endpoint_id, decision.succeeded);
  try {
    await records.load({ delivery, made, endedAt, decision });
    await updateEndpoint(context, delivery, decision);
  } finally {
    await enqueueWaiting(deliverer, waiting);
  }
  return outcomeOf(delivery, decision, result);
}

/**
 * Makes waiting deliveries due and enqueues them. It first waits until their snooze is recorded,
 * which would overwrite their due time otherwise.
 */
async function enqueueWaiting(
  { context: { db, clock, dispatcher }, settling }: Deliverer,
  waiting: readonly DueRow[],
): Promise<void> {
  if (waiting.length === 0) return;
  await Promise.all(waiting.map(({ id }) => settling.get(id)));
  const due = await makeDeliveriesDue(db, waiting, clock());
  dispatcher.enqueue(due.map((row) => ({ ...row, queue: 'webhook-deliver' })));
}

/**
 * Records on the endpoint that it fails, or disables it. Most tries change neither. It never
 * throws: the try and when it is due again are recorded already, and a job that failed would be
 * retried earlier than that. The next try records what could not be recorded now.
 */
async function updateEndpoint(
  { db, clock, log }: Context,
  delivery: DeliveryToSend,
  { succeeded, disable }: TryDecision,
): Promise<void> {
  const tx = { sql: db, now: clock() };
  const { endpoint_id: id, failing_since: failingSince } = delivery;
  try {
    if (!succeeded && failingSince === null) await retryBriefly(() => recordFailure(tx, id));
    if (!disable) return;
    await retryBriefly(() => disableEndpoint(tx, id, disable));
    const { mode } = delivery;
    log.warn('webhook endpoint disabled', { ...fieldsOf(delivery), mode, reason: disable });
  } catch (error) {
    const { message } = error as Error;
    log.error('webhook endpoint not updated', { ...fieldsOf(delivery), error: message });
  }
}

/** A failed try's row is due again at the time that was recorded with the try. */
function outcomeOf(
  delivery: DeliveryToSend,
  { status, dueAt }: TryDecision,
  { statusCode, error }: PostResult,
): Outcome {
  const fields = { ...fieldsOf(delivery), status, status_code: statusCode };
  if (status === 'delivered') return completed(fields);
  const reason = error ?? `HTTP ${statusCode}`;
  return dueAt ? retry(dueAt, reason, fields) : discard(reason, fields);
}

const fieldsOf = ({ endpoint_id, tenant_id }: DeliveryToSend) => ({ endpoint_id, tenant_id });
