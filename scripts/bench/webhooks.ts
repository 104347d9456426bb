import { join } from 'node:path';
import { writeBacklog } from './backlog.ts';
import { type Bench, BenchFailure, type BenchRun, type Measured } from './bench.ts';
import { type CpuMeter, openCpuMeter, postgresPid } from './cpu.ts';
import { call, type DeliveryStack, openDeliveryStack, takeArrivals } from './delivery-stack.ts';
import { median, rounded } from './figures.ts';
import { machineLine } from './machine.ts';
import { type Server, startServer } from './server.ts';
import { statementsDuring } from './statements.ts';

export const webhooks: Bench = {
  name: 'webhooks',
  description:
    'Delivering webhooks with one worker process, against a bare loop of signed POSTs to the same receiver',
  measure,
};

/**
 * One process sends at most 10 at once to each endpoint: with so many of them that bounds nothing
 * here.
 */
const MERCHANTS = 50;
const ROUNDS = 5;
const WARM_UP_DELIVERIES = 8_000;
/** A round should not be over in a moment, and the baseline is quicker. */
const DELIVERIES = 16_000;
const BASELINE_POSTS = 32_000;
const COUNTED_DELIVERIES = 2_000;

interface Round {
  service: number;
  baseline: number;
  baselineCpuMs: number;
  claimsEach: number;
}

async function measure(run: BenchRun): Promise<Measured> {
  const { print, stopped } = run;
  print('Starting PostgreSQL, Redis, a receiver, the worker and the baseline …');
  await using delivering = await openDeliveryStack(MERCHANTS);
  await using baseline = await startPostBaseline(delivering);
  print('Warming up …');
  const deliver = async (deliveries: number, during: CpuMeter['during'] = (work) => work()) => {
    const backlog = await writeBacklog(delivering, deliveries);
    return during(() => backlog.deliver(stopped));
  };
  await deliver(WARM_UP_DELIVERIES);
  const { inFlight } = await deliver(WARM_UP_DELIVERIES);
  const lanes = Math.max(1, Math.round(inFlight));
  await post(delivering, baseline, lanes);
  const { worker, receiver, stack } = delivering;
  const postgres = await postgresPid(stack.context);
  const meter = openCpuMeter({
    worker: worker.pid,
    postgres,
    redis: stack.redis.pid,
    receiver: receiver.pid,
  });
  const rounds: Round[] = [];
  while (rounds.length < ROUNDS) {
    const { seconds, claimsEach } = await deliver(DELIVERIES, meter.during);
    const posted = await post(delivering, baseline, lanes);
    const round = {
      service: DELIVERIES / seconds,
      baseline: BASELINE_POSTS / posted.seconds,
      baselineCpuMs: (posted.cpuSeconds * 1_000) / BASELINE_POSTS,
      claimsEach,
    };
    rounds.push(round);
    print(
      `Round ${rounds.length}: service ${round.service.toFixed(0)}/s, baseline ${round.baseline.toFixed(0)}/s`,
    );
  }
  const cpu = meter.per(ROUNDS * DELIVERIES);
  const statements = await statementsDuring(delivering.stack, () => deliver(COUNTED_DELIVERIES));
  const figures = { lanes, statementsEach: statements / COUNTED_DELIVERIES, cpu };
  return {
    result: resultOf(rounds, figures),
    report: reportOf(rounds, figures, await machineLine(delivering.stack.context)),
  };
}

function startPostBaseline({ stack, endpoints }: DeliveryStack): Promise<Server> {
  const env = { NODE_ENV: 'production', URLS: JSON.stringify(endpoints.map(({ url }) => url)) };
  return startServer({
    name: 'baseline',
    main: 'scripts/bench/post-baseline.ts',
    env,
    logFile: join(stack.dir, 'baseline.log'),
    readyPath: '/run',
  });
}

async function post(delivering: DeliveryStack, baseline: Server, lanes: number): Promise<Posted> {
  const posted = await call<Posted>(baseline, `/run?posts=${BASELINE_POSTS}&lanes=${lanes}`);
  const arrived = (await takeArrivals(delivering)).length;
  if (arrived !== BASELINE_POSTS)
    throw new BenchFailure(`Of ${BASELINE_POSTS} POSTs of the baseline ${arrived} arrived.`);
  return posted;
}

/** The baseline's answer to a run. */
interface Posted {
  seconds: number;
  cpuSeconds: number;
}

interface Figures {
  lanes: number;
  statementsEach: number;
  cpu: Record<string, number> | undefined;
}

function summaryOf(rounds: readonly Round[]) {
  return {
    ratio: median(rounds.map(({ service, baseline }) => service / baseline)),
    service: median(rounds.map(({ service }) => service)),
    baseline: median(rounds.map(({ baseline }) => baseline)),
    baselineCpuMs: median(rounds.map(({ baselineCpuMs }) => baselineCpuMs)),
    claimsEach: median(rounds.map(({ claimsEach }) => claimsEach)),
  };
}

function resultOf(
  rounds: readonly Round[],
  { lanes, statementsEach, cpu }: Figures,
): Measured['result'] {
  const { ratio, service, baseline, baselineCpuMs, claimsEach } = summaryOf(rounds);
  return {
    name: webhooks.name,
    ratio: rounded(ratio, 3),
    deliveries_per_second: rounded(service, 1),
    floor_per_second: rounded(baseline, 1),
    in_flight: lanes,
    claims_per_delivery: rounded(claimsEach, 3),
    statements_per_delivery: rounded(statementsEach, 3),
    ...Object.fromEntries(
      Object.entries(cpu ?? {}).map(([taker, ms]) => [
        `${taker}_cpu_ms_per_delivery`,
        rounded(ms, 3),
      ]),
    ),
    floor_cpu_ms_per_post: rounded(baselineCpuMs, 3),
  };
}

function reportOf(
  rounds: readonly Round[],
  { lanes, statementsEach, cpu }: Figures,
  machine: string,
): string[] {
  const { ratio, service, baseline, baselineCpuMs, claimsEach } = summaryOf(rounds);
  const cpuText =
    cpu &&
    Object.entries(cpu)
      .map(([taker, ms]) => `${taker} ${ms.toFixed(3)}`)
      .join(', ');
  return [
    '',
    'Webhook deliveries of one worker process, everything on: durable PostgreSQL, queue on Redis, delivery tries and job log.',
    'The baseline is a bare loop of POSTs in a process of its own: the same bodies, headers and signatures to the same receiver.',
    `${MERCHANTS} merchants with an endpoint each, so that the cap of 10 in flight for one endpoint bounds nothing; each delivery goes to a random one.`,
    `In turn, ${rounds.length} rounds of ${DELIVERIES} deliveries that wait in the queue, and ${BASELINE_POSTS} POSTs, ${lanes} at once as the worker had on average.`,
    '',
    `Ratio        ${ratio.toFixed(3)}   (median of the rounds' service to baseline)`,
    `Service      ${service.toFixed(0)} deliveries/s, until each was on record and its job done`,
    `Baseline     ${baseline.toFixed(0)} POSTs/s`,
    `Claims       ${claimsEach.toFixed(3)} per delivery`,
    `Statements   ${statementsEach.toFixed(3)} per delivery, counted in PostgreSQL's log over ${COUNTED_DELIVERIES} deliveries`,
    `CPU          ${cpuText ?? 'not known on this system'}${cpuText ? ' ms per delivery' : ''}; the baseline itself ${baselineCpuMs.toFixed(3)} ms per POST`,
    `Machine      ${machine}`,
  ];
}
