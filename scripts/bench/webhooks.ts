import { type Bench, BenchFailure, type BenchRun, type Measured } from './bench.ts';
import { openClient } from './client.ts';
import { openCpuMeter, postgresPid } from './cpu.ts';
import { type Delivering, deliverBacklog, openDelivering } from './deliveries.ts';
import { median, rounded } from './figures.ts';
import { type Server, startServer } from './processes.ts';
import { callsOf, statementsDuring } from './statements.ts';

/**
 * One process sends at most 10 at once to each endpoint: with so many of them that bounds nothing
 * here.
 */
const MERCHANTS = 50;
const ROUNDS = 5;
const WARM_UP_DELIVERIES = 8_000;
/** A round should not be over in a moment, and the floor is quicker. */
const DELIVERIES = 16_000;
const FLOOR_POSTS = 32_000;
const COUNTED_DELIVERIES = 2_000;

export const webhooks: Bench = {
  name: 'webhooks',
  description:
    'Delivering webhooks with one worker process, against a bare loop of signed POSTs to the same receiver',
  about: [
    'Webhook deliveries of one worker process, everything on: durable PostgreSQL, queue on Redis, delivery tries and job log.',
    'The floor is a bare loop of POSTs in a process of its own: the same bodies, headers and signatures to the same receiver.',
    `${MERCHANTS} merchants with an endpoint each, so that the cap of 10 in flight for one endpoint bounds nothing; each delivery goes to a random one.`,
    `In turn, ${ROUNDS} rounds of ${DELIVERIES} deliveries that wait in the queue, until each was on record and its job done, and ${FLOOR_POSTS} POSTs, as many at once as the worker had on average.`,
  ],
  measure,
};

async function measure(run: BenchRun): Promise<Measured> {
  const delivering = await openDelivering(run, MERCHANTS);
  const { worker, receivers, stack } = delivering;
  const urls = JSON.stringify(receivers.urls);
  const floor = await startServer(run, {
    ...{ name: 'floor', main: 'scripts/bench/post-floor.ts', dir: stack.dir, readyPath: '/run' },
    env: { NODE_ENV: 'production', URLS: urls },
  });
  run.print('Warming up …');
  await deliverBacklog(delivering, WARM_UP_DELIVERIES);
  const { inFlight } = await deliverBacklog(delivering, WARM_UP_DELIVERIES);
  const lanes = Math.max(1, Math.round(inFlight));
  await post(delivering, floor, lanes);
  const pids = { worker: worker.pid, postgres: await postgresPid(stack.context) };
  const meter = openCpuMeter({ ...pids, redis: stack.redis.pid, receiver: receivers.pid });
  const rounds: { service: number; floor: number; floorCpuMs: number; claims: number }[] = [];
  while (rounds.length < ROUNDS) {
    run.stopped.throwIfAborted();
    const delivered = await deliverBacklog(delivering, DELIVERIES, meter.during);
    const posted = await post(delivering, floor, lanes);
    const round = {
      ...{ service: DELIVERIES / delivered.seconds, floor: FLOOR_POSTS / posted.seconds },
      floorCpuMs: (posted.cpuSeconds * 1_000) / FLOOR_POSTS,
      claims: delivered.claimsEach,
    };
    rounds.push(round);
    const rates = `service ${round.service.toFixed(0)}/s, floor ${round.floor.toFixed(0)}/s`;
    run.print(`Round ${rounds.length}: ${rates}`);
  }
  const cpu = Object.entries(meter.per(ROUNDS * DELIVERIES) ?? {});
  const statements = await statementsDuring(stack.context.db, () =>
    deliverBacklog(delivering, COUNTED_DELIVERIES),
  );
  const medianOf = (read: (round: (typeof rounds)[number]) => number, digits: number) =>
    rounded(median(rounds.map(read)), digits);
  return {
    figures: {
      ratio: medianOf((round) => round.service / round.floor, 3),
      deliveries_per_second: medianOf(({ service }) => service, 1),
      floor_per_second: medianOf((round) => round.floor, 1),
      in_flight: lanes,
      claims_per_delivery: medianOf(({ claims }) => claims, 3),
      statements_per_delivery: rounded(callsOf(statements) / COUNTED_DELIVERIES, 3),
      ...Object.fromEntries(
        cpu.map(([taker, ms]) => [`${taker}_cpu_ms_per_delivery`, rounded(ms, 3)]),
      ),
      floor_cpu_ms_per_post: medianOf(({ floorCpuMs }) => floorCpuMs, 3),
    },
  };
}

/** Has the floor post, and says what it took. */
async function post(
  { receivers }: Delivering,
  floor: Server,
  lanes: number,
): Promise<{ seconds: number; cpuSeconds: number }> {
  await using client = openClient(floor.url);
  const path = `/run?posts=${FLOOR_POSTS}&lanes=${lanes}`;
  const posted = JSON.parse(await client.ask({ method: 'GET', path, headers: {} }));
  const { length: arrived } = await receivers.take();
  if (arrived === FLOOR_POSTS) return posted;
  throw new BenchFailure(`Of ${FLOOR_POSTS} POSTs of the floor ${arrived} arrived.`);
}
