import { type Bench, BenchFailure, type BenchRun, type Measured } from './bench.ts';
import { openCpuMeter, postgresPid } from './cpu.ts';
import { type Delivering, deliverBacklog, openDelivering } from './deliveries.ts';
import { inRounds, median, rounded } from './figures.ts';
import { openClient } from './load.ts';
import { type Server, startServer } from './processes.ts';
import { callsOf, statementsDuring } from './session.ts';

/** One process sends at most 10 at once to each endpoint: that does not bound so many. */
const MERCHANTS = 50;
const ROUNDS = 5;
const WARM_UP_DELIVERIES = 8_000;
/** A round should not be over in a moment, and the floor is quicker. */
const DELIVERIES = 16_000;
const FLOOR_POSTS = 32_000;
const COUNTED_DELIVERIES = 2_000;

export const webhooks: Bench = {
  name: 'webhooks',
  description: 'Delivering webhooks with one worker process, against a bare loop of signed POSTs',
  about: [
    `${MERCHANTS} merchants with an endpoint each. In turn, ${ROUNDS} rounds of ${DELIVERIES} deliveries until each is on record,`,
    `and of ${FLOOR_POSTS} POSTs with the same bodies and signatures, as many at once as the worker had.`,
  ],
  measure,
};

type Worked = { perSecond: number; inFlight?: number; claims?: number; cpuMs?: number };

async function measure(run: BenchRun): Promise<Measured> {
  const delivering = await openDelivering(run, MERCHANTS);
  const { worker, receivers, stack } = delivering;
  const floorServer = await startServer(run, {
    ...{ name: 'floor', main: 'scripts/bench/post-floor.ts', dir: stack.dir, readyPath: '/run' },
    env: { NODE_ENV: 'production', URLS: JSON.stringify(receivers.urls) },
  });
  run.print('Warming up …');
  await deliverBacklog(delivering, WARM_UP_DELIVERIES);
  const { inFlight } = await deliverBacklog(delivering, WARM_UP_DELIVERIES);
  const lanes = Math.max(1, Math.round(inFlight));
  await post(delivering, floorServer, lanes);
  const pids = { worker: worker.pid, postgres: await postgresPid(stack.context.db) };
  const meter = openCpuMeter({ ...pids, redis: stack.redis.pid, receiver: receivers.pid });
  const both = {
    service: (): Promise<Worked> => deliverBacklog(delivering, DELIVERIES, meter.during),
    floor: () => post(delivering, floorServer, lanes),
  };
  const lineOf = ({ service, floor }: Record<keyof typeof both, Worked>) =>
    `service ${service.perSecond.toFixed(0)}/s, floor ${floor.perSecond.toFixed(0)}/s`;
  const rounds = await inRounds(run, ROUNDS, both, lineOf);
  const cpu = Object.entries(meter.per(ROUNDS * DELIVERIES)).map(
    ([taker, ms]) => [`${taker}_cpu_ms_per_delivery`, rounded(ms, 3)] as const,
  );
  const statements = await statementsDuring(stack.context.db, () =>
    deliverBacklog(delivering, COUNTED_DELIVERIES),
  );
  const medianOf = (read: (round: (typeof rounds)[number]) => number, digits: number) =>
    rounded(median(rounds.map(read)), digits);
  return {
    figures: {
      ratio: medianOf(({ service, floor }) => service.perSecond / floor.perSecond, 3),
      deliveries_per_second: medianOf(({ service }) => service.perSecond, 1),
      floor_per_second: medianOf(({ floor }) => floor.perSecond, 1),
      in_flight: lanes,
      claims_per_delivery: medianOf(({ service }) => service.claims!, 3),
      statements_per_delivery: rounded(callsOf(statements) / COUNTED_DELIVERIES, 3),
      ...Object.fromEntries(cpu),
      floor_cpu_ms_per_post: medianOf(({ floor }) => floor.cpuMs!, 3),
    },
  };
}

async function post({ receivers }: Delivering, floor: Server, lanes: number): Promise<Worked> {
  await using client = openClient(floor.url);
  const path = `/run?posts=${FLOOR_POSTS}&lanes=${lanes}`;
  const answer = await client.ask({ method: 'GET', path, headers: {} });
  const { seconds, cpuSeconds } = JSON.parse(answer);
  const { length: arrived } = await receivers.take();
  if (arrived !== FLOOR_POSTS)
    throw new BenchFailure(`Of ${FLOOR_POSTS} POSTs of the floor ${arrived} arrived.`);
  return { perSecond: FLOOR_POSTS / seconds, cpuMs: (cpuSeconds * 1_000) / FLOOR_POSTS };
}
