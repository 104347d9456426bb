import { type Batcher, createBatcher, GATHER_MS } from '../config/batcher.ts';
import type { Context } from '../config/context.ts';
import type { PostResult } from '../config/webhooks/webhook-client.ts';
import type { DueRow } from '../domain/jobs.ts';
import { nextRetryAt } from '../domain/shared/retry.ts';
import { decideTry, type TryDecision } from '../domain/webhooks/delivery/decide-try.ts';
import { type EndedTry, recordTries } from '../domain/webhooks/delivery/record-tries.ts';
import {
  cancelDeliveries,
  type DeliveryToSend,
  SELECT_DELIVERIES_TO_SEND,
} from '../domain/webhooks/delivery/to-send.ts';
import { disableEndpoint, recordFailure } from '../domain/webhooks/endpoint/disable.ts';
import { deliveryHeaders } from '../domain/webhooks/endpoint/secrets.ts';
import { completed, discard, type JobHandler, type Outcome, retry, snooze } from './job-handler.ts';
import { retryBriefly } from './retry-briefly.ts';

interface Deliverer {
  context: Context;
  records: Batcher<EndedTry, undefined>;
  cancels: Batcher<DueRow, undefined>;
}

/** Every event arrives at least once, or its delivery says why not. */
export function createWebhookDeliverer(context: Context): JobHandler<DeliveryToSend> {
  const { db, clock } = context;
  const deliverer: Deliverer = {
    context,
    records: writesOf((ended) => recordTries(db, ended)),
    cancels: writesOf((claimed) => cancelDeliveries(db, claimed, clock())),
  };
  return {
    queue: 'webhook-deliver',
    select: SELECT_DELIVERIES_TO_SEND,
    traceOf: ({ subject_id }) => ({ subject: subject_id }),
    handle: (_context, rows) => rows.map((delivery) => deliver(deliverer, delivery)),
  };
}

/** Repeats the statement where the database is away for a moment. */
function writesOf<Item>(write: (items: readonly Item[]) => Promise<void>) {
  return createBatcher<Item, undefined>(
    async (items) => {
      await retryBriefly(() => write(items));
      return items.map(() => undefined);
    },
    { gatherMs: GATHER_MS },
  );
}

async function deliver(deliverer: Deliverer, delivery: DeliveryToSend): Promise<Outcome> {
  const { context, cancels } = deliverer;
  if (delivery.endpoint_status === 'disabled') {
    await cancels.load(delivery);
    return discard('the endpoint is disabled', fieldsOf(delivery));
  }
  const at = context.clock();
  const headers = sign(context, delivery, at);
  if (!headers) return snooze(nextRetryAt(delivery.tries, at), 'the webhook could not be signed');
  return send(deliverer, delivery, headers, at);
}

/** Undefined where the secret's master key is missing: an operator must add it. Costs no try. */
function sign({ vault, log }: Context, delivery: DeliveryToSend, at: Date) {
  const endpoint = { ...delivery, id: delivery.endpoint_id };
  const event = { id: delivery.event_id, body: delivery.body };
  try {
    return deliveryHeaders(vault, endpoint, event, at);
  } catch (error) {
    log.error('webhook not signed', { ...fieldsOf(delivery), error: (error as Error).stack });
    return undefined;
  }
}

async function send(
  deliverer: Deliverer,
  delivery: DeliveryToSend,
  headers: Record<string, string>,
  at: Date,
): Promise<Outcome> {
  const { context, records } = deliverer;
  const { clock, random, tracing, webhooks } = context;
  const { url, body, endpoint_id } = delivery;
  const span = { name: 'webhook try', isCall: true, attributes: { endpoint_id } };
  const result = await tracing.inSpan(span, async (attributes) => {
    const posted = await webhooks.post(url, headers, body);
    attributes.status = posted.statusCode ?? undefined;
    attributes.error = posted.error ?? undefined;
    return posted;
  });
  const made = { at, ...result };
  const endedAt = clock();
  const decision = decideTry(made, delivery, endedAt, random());
  const record = async () => {
    await records.load({ delivery, made, endedAt, decision });
    await updateEndpoint(context, delivery, decision);
  };
  return { ...outcomeOf(delivery, decision, result), recorded: record() };
}

/**
 * Never throws: the try is recorded already, and a job that failed would be retried earlier. The
 * next try records what could not be recorded now.
 */
async function updateEndpoint(
  { db, inTx, clock, log }: Context,
  delivery: DeliveryToSend,
  { succeeded, disable }: TryDecision,
): Promise<void> {
  const { endpoint_id: id, failing_since: failingSince } = delivery;
  try {
    if (!succeeded && failingSince === null)
      await retryBriefly(() => recordFailure({ sql: db, now: clock() }, id));
    if (!disable) return;
    await retryBriefly(() => inTx((tx) => disableEndpoint(tx, id, disable)));
    const { mode } = delivery;
    log.warn('webhook endpoint disabled', { ...fieldsOf(delivery), mode, reason: disable });
  } catch (error) {
    const { message } = error as Error;
    log.error('webhook endpoint not updated', { ...fieldsOf(delivery), error: message });
  }
}

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
