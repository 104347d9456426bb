import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../../config/context.ts';
import { publishEvent } from '../../domain/webhooks/event/publish.ts';
import { BenchFailure } from './bench.ts';
import { type DeliveryStack, type Endpoint, takeArrivals } from './delivery-stack.ts';
import { chargeView } from './event-body.ts';

/** What endpoints that answer received. */
export interface Arrivals {
  offered: number;
  /** From event to receipt. */
  waitsMs: number[];
}

/** Events at a steady rate. */
export interface Offer {
  /** Events a second. */
  rate: number;
  seconds: number;
  /** They go to these in turn. */
  to: readonly Endpoint[];
  /** The endpoint that may hang, by its number: nobody waits for its events. */
  hanging: number;
}

/** What was offered last is given this long to arrive. */
const ARRIVES_WITHIN_MS = 10_000;

/**
 * Publishes events at a steady rate as a change does, with their jobs; resolves when all for
 * endpoints that answer have arrived, or throws.
 */
export async function offerEvents(
  delivering: DeliveryStack,
  { rate, seconds, to, hanging }: Offer,
  stopped: AbortSignal,
): Promise<Arrivals> {
  const { stack, endpoints } = delivering;
  await takeArrivals(delivering);
  const startedMs = performance.now();
  const total = seconds * rate;
  const publishing: Promise<void>[] = [];
  let awaited = 0;
  while (publishing.length < total) {
    stopped.throwIfAborted();
    const due = Math.min(total, Math.floor(((performance.now() - startedMs) / 1_000) * rate) + 1);
    while (publishing.length < due) {
      const endpoint = to[publishing.length % to.length]!;
      if (endpoint !== endpoints[hanging]) awaited += 1;
      publishing.push(publish(stack.context, endpoint.tenantId));
    }
    await pause(1);
  }
  await Promise.all(publishing);
  return arrivalsOf(delivering, hanging, awaited);
}

function publish({ inTx }: Context, tenantId: string): Promise<void> {
  return inTx((tx) => {
    const data = chargeView(1, tx.now);
    return publishEvent(tx, {
      tenantId,
      mode: 'test',
      type: 'charge.succeeded',
      subjectId: data.id,
      data,
    });
  });
}

async function arrivalsOf(
  delivering: DeliveryStack,
  hanging: number,
  offered: number,
): Promise<Arrivals> {
  const waitsMs: number[] = [];
  for (const deadline = Date.now() + ARRIVES_WITHIN_MS; Date.now() < deadline; await pause(100)) {
    for (const [endpoint, ms] of await takeArrivals(delivering))
      if (endpoint !== hanging) waitsMs.push(ms);
    if (waitsMs.length === offered) return { offered, waitsMs };
  }
  const trouble = `Of ${offered} events for the endpoints that answer, ${waitsMs.length} arrived.`;
  throw new BenchFailure(`${trouble} The worker printed last:\n${await delivering.worker.tail()}`);
}
