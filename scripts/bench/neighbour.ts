import type { Context } from '../../config/context.ts';
import { publishEvent } from '../../domain/webhooks/event/publish.ts';
import { until } from '../local/until.ts';
import { type Bench, BenchFailure, type BenchRun, type Measured } from './bench.ts';
import { addDueDeliveries, type Delivering, type Endpoint, openDelivering } from './deliveries.ts';
import { measureBeside, roundedPercentile } from './figures.ts';
import { chargeView } from './order.ts';
import { keepRate } from './rate.ts';

const MERCHANTS = 50;
/** The endpoint that may hang, by its number: nobody waits for its events. */
const HANGING = 0;
/** Events a second, to all endpoints that get any, together and in turn. */
const RATE = 200;
const ROUNDS = 3;
const ROUND_SECONDS = 20;
const ROUND_SECONDS_BESIDE_BACKLOG = 10;
const WARM_UP_SECONDS = 10;
/** By then as many requests hang as may be in flight, and the endpoint's deliveries are snoozed. */
const HANGS_BEFORE_SECONDS = 5;
const ARRIVES_WITHIN_MS = 10_000;

export const neighbour: Bench = {
  name: 'neighbour',
  description:
    'How long 49 webhook endpoints wait beside one that never answers, against without it',
  options: {
    '--backlog <deliveries>':
      'one endpoint beside one that never answers, to which this many are due',
  },
  about: [
    `${RATE} events a second, delivered by one worker process: time from the event's transaction to its receipt.`,
    `${ROUNDS} rounds with and without the one that hangs, in turn; ratio of the 99th percentiles, median round.`,
  ],
  measure: (run) => (run.options.backlog ? measureBesideBacklog(run) : measureBesideOne(run)),
};

async function measureBesideOne(run: BenchRun): Promise<Measured> {
  const delivering = await openDelivering(run, MERCHANTS);
  const { receivers, endpoints } = delivering;
  const offer = (seconds: number) => offerEvents(delivering, endpoints, seconds);
  run.print('Warming up …');
  await offer(WARM_UP_SECONDS);
  const { figures, alone, beside } = await measureBeside(run, ROUNDS, {
    alone: () => offer(ROUND_SECONDS),
    async beside() {
      await receivers.setHanging(true);
      await offer(HANGS_BEFORE_SECONDS);
      const waitsMs = await offer(ROUND_SECONDS);
      await receivers.setHanging(false);
      await offer(HANGS_BEFORE_SECONDS);
      return waitsMs;
    },
  });
  const { ratio, ...p99 } = figures;
  const arrived = [...alone, ...beside].flat().length; // all: else it has failed
  return {
    figures: {
      ...{ ratio, rate: RATE, ...p99 },
      p50_ms: roundedPercentile(beside.flat(), 50, 1),
      p50_alone_ms: roundedPercentile(alone.flat(), 50, 1),
      ...{ offered: arrived, arrived },
    },
  };
}

async function measureBesideBacklog(run: BenchRun): Promise<Measured> {
  const backlog = Number(run.options.backlog);
  const delivering = await openDelivering(run, 2);
  const { receivers, endpoints, stack } = delivering;
  const { db } = stack.context;
  const [hanging, healthy] = endpoints as [Endpoint, Endpoint];
  // A backlog grows over hours, and PostgreSQL cleans up meanwhile.
  const offer = async () => {
    await db.query('vacuum analyze events, deliveries, delivery_tries');
    await db.query('checkpoint');
    return offerEvents(delivering, [healthy], ROUND_SECONDS_BESIDE_BACKLOG);
  };
  run.print('Warming up …');
  await offer();
  const { figures } = await measureBeside(run, ROUNDS, {
    alone: offer,
    async beside() {
      await receivers.setHanging(true);
      await addDueDeliveries(delivering, backlog, () => hanging);
      const waitsMs = await offer();
      await db.query(
        `update deliveries set status = 'cancelled', due_at = null, finished_at = now()
         where endpoint_id = $1 and status = 'pending'`,
        [hanging.id],
      );
      await receivers.setHanging(false);
      return waitsMs;
    },
  });
  const { ratio, ...p99 } = figures;
  return { figures: { backlog, ratio, rate: RATE, ...p99 } };
}

async function offerEvents(
  { stack, receivers, endpoints }: Delivering,
  to: readonly Endpoint[],
  seconds: number,
): Promise<number[]> {
  const { stopped } = stack.run;
  await receivers.take();
  let offered = 0;
  const rate = { perSecond: RATE, count: RATE * seconds, stopped };
  const { begun } = await keepRate(rate, (number) => {
    const endpoint = to[number % to.length]!;
    if (endpoint !== endpoints[HANGING]) offered++;
    return publish(stack.context, endpoint.tenantId);
  });
  await Promise.all(begun);
  const waitsMs: number[] = [];
  const patience = { everyMs: 100, withinMs: ARRIVES_WITHIN_MS, ended: stopped };
  const arrived = await until(patience, async () => {
    const awaited = (await receivers.take()).filter(({ endpoint }) => endpoint !== HANGING);
    waitsMs.push(...awaited.map(({ sinceEventMs }) => sinceEventMs));
    return waitsMs.length === offered ? waitsMs : undefined;
  });
  if (arrived) return arrived;
  throw new BenchFailure(
    `Of ${offered} events for the endpoints that answer, ${waitsMs.length} arrived.`,
  );
}

function publish({ inTx }: Context, tenantId: string): Promise<void> {
  return inTx((tx) => {
    const data = chargeView(1, tx.now);
    return publishEvent(tx, {
      ...{ tenantId, mode: 'test', type: 'charge.succeeded', subjectId: data.id, data },
    });
  });
}
