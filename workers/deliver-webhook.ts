import { setTimeout as pause } from 'node:timers/promises';
import { inTurns } from '../config/batcher.ts';
import type { Context } from '../config/context.ts';
import type { PostResult } from '../config/webhook-client.ts';
import { type DueRow, queues } from '../domain/jobs.ts';
import { nextRetryAt } from '../domain/payments/attempt/schedule.ts';
import { judge, type Verdict } from '../domain/webhooks/delivery/decide-try.ts';
import {
  type ClaimedDelivery,
  callDeliveries,
  claimDeliveries,
  type Ending,
  recordEndings,
} from '../domain/webhooks/delivery/record-tries.ts';
import { disableEndpoint, noteFailure } from '../domain/webhooks/endpoint/endpoint.ts';
import { deliveryHeaders } from '../domain/webhooks/endpoint/secrets.ts';
import { createEndpointGate, type EndpointGate } from './endpoint-gate.ts';
import type { SharedJobHandler } from './pool.ts';

/** How a delivery's job ends, and why. */
type Told = { outcome: Ending['status'] | 'skipped' | 'put back'; reason?: string } & Record<
  string,
  unknown
>;

/** A delivery that must wait for its turn comes back by itself after this, and up to twice of it: its turn is called when there is one. */
const PUT_BACK_MS = 15_000;
/**
 * Sends one event to one endpoint and logs the try. Every event arrives at least once, or its delivery says why not. The jobs in hand of
 * one process claim and record together, many in a statement.
 */
export const deliverWebhook: SharedJobHandler = {
  queue: 'webhook-deliver',
  start: startDelivering,
};

function startDelivering(context: Context): (row: DueRow) => Promise<Told> {
  const { db, clock } = context;
  const gate = createEndpointGate();
  const claims = inTurns((due: readonly DueRow[]) => claimEach(context, due));
  const endings = inTurns(async (ended: readonly Ending[]) => {
    await insisting(() => recordEndings(db, ended));
    return ended.map(() => undefined);
  });
  // A turn is called only once its delivery is on record as put back: written after the call, that would undo it.
  const puttingBack = new Map<string, Promise<unknown>>();
  const putBack = (delivery: ClaimedDelivery) => {
    const dueAt = new Date(clock().getTime() + Math.round(PUT_BACK_MS * (1 + context.random())));
    const written = endings
      .load(unsent(delivery, 'pending', dueAt, clock()))
      .finally(() => puttingBack.delete(delivery.id));
    puttingBack.set(delivery.id, written);
    return written;
  };
  const call = async (waiting: readonly DueRow[]) => {
    await Promise.allSettled(waiting.map(({ id }) => puttingBack.get(id)));
    if (waiting.length > 0) ring(context, await callDeliveries(db, waiting, clock()));
  };
  return async (row) => {
    const delivery = await claims.load(row);
    if (!delivery) return { outcome: 'skipped' };
    if (delivery.status === 'disabled') {
      await endings.load(unsent(delivery, 'cancelled', null, clock()));
      return { outcome: 'cancelled', reason: 'the endpoint is disabled' };
    }
    const record = (ending: Ending) => endings.load(ending);
    const signed = await sign(context, delivery, record);
    if (!gate.enter(delivery.endpoint_id, delivery.failing_since !== null, delivery)) {
      await putBack(delivery);
      return { outcome: 'put back', reason: 'enough is on its way to this endpoint' };
    }
    return sendAndRecord(context, signed, { gate, record, call });
  };
}

interface Desk {
  gate: EndpointGate;
  record: (ending: Ending) => Promise<unknown>;
  call: (waiting: readonly DueRow[]) => Promise<void>;
}

async function sendAndRecord(
  context: Context,
  { delivery, at, headers }: SignedDelivery,
  { gate, record, call }: Desk,
): Promise<Told> {
  const { clock, random, webhooks } = context;
  const result = await webhooks.post(delivery.url, headers, delivery.body).catch((stopping) => {
    gate.leave(delivery.endpoint_id, false);
    throw stopping; // no try of ours: the lease brings it back
  });
  const made = { at, ...result };
  const endedAt = clock();
  const verdict = judge(made, delivery, endedAt, random());
  const waiting = gate.leave(delivery.endpoint_id, verdict.succeeded);
  try {
    await record({ delivery, status: verdict.status, dueAt: verdict.dueAt, made, endedAt });
    await tendEndpoint(context, delivery, verdict);
    if (verdict.dueAt) ring(context, [{ id: delivery.id, tries: delivery.tries }], verdict.dueAt);
  } finally {
    await call(waiting);
  }
  const { endpoint_id, tenant_id } = delivery;
  const told = { outcome: verdict.status, endpoint_id, tenant_id, status_code: result.statusCode };
  return verdict.succeeded ? told : { ...told, reason: reasonOf(result) };
}

interface SignedDelivery {
  delivery: ClaimedDelivery;
  at: Date;
  headers: Record<string, string>;
}

/** Headers that cannot be made, for want of the key that sealed the secret, are ours to mend: it costs no try, and is tried again later. */
async function sign(
  context: Context,
  delivery: ClaimedDelivery,
  record: Desk['record'],
): Promise<SignedDelivery> {
  const at = context.clock();
  try {
    const endpoint = { ...delivery, id: delivery.endpoint_id };
    return {
      delivery,
      at,
      headers: deliveryHeaders(
        context.vault,
        endpoint,
        { id: delivery.event_id, body: delivery.body },
        at,
      ),
    };
  } catch (error) {
    await record(unsent(delivery, 'pending', nextRetryAt(delivery.tries, at), at));
    throw error;
  }
}

/** Writes only what is news about the endpoint: most tries leave it as it is. */
async function tendEndpoint(
  context: Context,
  delivery: ClaimedDelivery,
  { succeeded, disable }: Verdict,
): Promise<void> {
  const tx = { sql: context.db, now: context.clock() };
  const { endpoint_id: id, failing_since: failingSince } = delivery;
  if (!succeeded && failingSince === null) await noteFailure(tx, id);
  if (disable) {
    await disableEndpoint(tx, id, disable);
    context.log.warn('webhook endpoint disabled', {
      endpoint_id: id,
      tenant_id: delivery.tenant_id,
      mode: delivery.mode,
      reason: disable,
    });
  }
}

const reasonOf = ({ error, statusCode }: PostResult) => error ?? `HTTP ${statusCode}`;

const unsent = (
  delivery: ClaimedDelivery,
  status: Ending['status'],
  dueAt: Date | null,
  endedAt: Date,
): Ending => ({
  delivery,
  status,
  dueAt,
  made: null,
  endedAt,
});

function ring({ dispatcher }: Context, deliveries: readonly DueRow[], dueAt?: Date): void {
  dispatcher.enqueue(
    deliveries.map(({ id, tries }) => ({
      queue: 'webhook-deliver',
      id,
      tries,
      ...(dueAt ? { dueAt } : {}),
    })),
  );
}

/** The lease is over soon after: whoever has the delivery then records its own try. */
const INSISTED_MS = 8_000;
const BETWEEN_MS = 250;

/** What was sent is worth writing down: a database that is away for a moment is asked again. */
async function insisting(write: () => Promise<void>): Promise<void> {
  const giveUpMs = performance.now() + INSISTED_MS;
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (performance.now() > giveUpMs) throw error;
      await pause(BETWEEN_MS);
    }
  }
}

/** One claim for each, in their order; undefined where a bell was early, late or doubled. */
async function claimEach(
  { db, clock }: Context,
  due: readonly DueRow[],
): Promise<(ClaimedDelivery | undefined)[]> {
  const now = clock();
  const leaseUntil = new Date(now.getTime() + queues['webhook-deliver'].leaseMs);
  const claimed = new Map(
    (await claimDeliveries(db, due, now, leaseUntil)).map((delivery) => [delivery.id, delivery]),
  );
  return due.map(({ id }) => {
    const delivery = claimed.get(id);
    claimed.delete(id); // two bells for one row in one statement: the first has it
    return delivery;
  });
}
