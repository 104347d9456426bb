import { setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../local/until.ts';
import { auditLives } from './audit-lives.ts';
import { type Bench, BenchFailure, type BenchRun, type Measured } from './bench.ts';
import { openCpuMeter, postgresPid } from './cpu.ts';
import { rounded, roundedPercentile } from './figures.ts';
import { type CustomerCharge, openPipelineStack, type PipelineStack } from './pipeline-stack.ts';
import { untilReady } from './processes.ts';
import { infoOf } from './redis.ts';
import { callsOf, openSession, statementsDuring } from './session.ts';
import { DATABASE } from './stack.ts';

const IDLE_SECONDS = 30;
/** What begins with the processes (first lists of payments, housekeeping) is over then. */
const SETTLES_MS = 30_000;
const LOOKS_EVERY_MS = 200;
/** Each process has compiled then what runs for every charge. */
const WARM_UP = { rate: 10, seconds: 60 };
/** Customers, providers and stores, which are elsewhere otherwise, come before many processes. */
const NICE = 10;
/** Besides the service: this bench, and what PostgreSQL keeps for superusers. */
const OTHER_CONNECTIONS = 30;

export const scale: Bench = {
  name: 'scale',
  description: 'What many small processes hold and use, idle and while charges live whole lives',
  options: {
    '--apis <count>': 'API processes (10)',
    '--workers <count>': 'processes with all workers (20)',
    '--rate <rate>': 'customers a second (50)',
    '--seconds <seconds>': 'how long they come (600)',
    '--heap <megabytes>': 'the heap of each process (96)',
    '--pool <connections>': 'DATABASE_POOL_SIZE (20)',
  },
  about: [
    'Idle and busy: all processes together. Connections: the most to PostgreSQL, which must be at',
    'most connections_formula (processes × DATABASE_POOL_SIZE); CPU: of a core. The audit counts',
    'what must be zero.',
  ],
  measure,
};

async function measure(run: BenchRun): Promise<Measured> {
  const { options, print } = run;
  const given = (name: string, otherwise: number) => Number(options[name] ?? otherwise);
  const [apiCount, workerCount] = [given('apis', 10), given('workers', 20)];
  const [rate, seconds, heap] = [given('rate', 50), given('seconds', 600), given('heap', 96)];
  const poolSize = given('pool', 20);
  const formula = (apiCount + workerCount) * poolSize;
  const pipeline = await openPipelineStack(run, {
    ...{ apiCount, workerCount, settings: [`max_connections=${formula + OTHER_CONNECTIONS}`] },
    env: {
      DATABASE_POOL_SIZE: String(poolSize),
      API_PROCESSES: String(apiCount),
      PROVIDER_PROCESSES: String(apiCount + workerCount),
      // New objects may otherwise take 64 MB after the start, and V8 collects without end.
      NODE_OPTIONS: `--max-old-space-size=${heap} --max-semi-space-size=8`,
      PGAPPNAME: SERVICE,
    },
  });
  await Promise.all(pipeline.workers.map((each) => untilReady(each, () => expectStarted(each))));
  await pause(SETTLES_MS, undefined, { signal: run.stopped });
  print(`Nothing to do for ${IDLE_SECONDS} s …`);
  const idle = await during(run, pipeline, () =>
    pause(IDLE_SECONDS * 1_000, undefined, { signal: run.stopped }),
  );
  print(JSON.stringify({ idle }));
  for (const { pid } of [...pipeline.apis, ...pipeline.workers]) setPriority(pid, NICE);
  print('Warming up …');
  await pipeline.serve(WARM_UP.rate, WARM_UP.seconds);
  print(`${rate} customers a second for ${seconds} s …`);
  let charges!: ReadonlyMap<string, CustomerCharge>;
  const busy = await during(run, pipeline, async () => {
    ({ charges } = await pipeline.serve(rate, seconds));
  });
  const held = Math.max(idle.connections, busy.connections);
  if (held > formula) throw new BenchFailure(`${held} connections are more than ${formula}.`);
  const redisUrl = pipeline.stack.redis.url;
  const createMs = [...charges.values()].map((one) => one.answeredAtMs - one.askedAtMs);
  return {
    figures: {
      ...{ apis: apiCount, workers: workerCount, rate, seconds, charges: charges.size },
      connections_formula: formula,
      redis_peak_mb: rounded((await infoOf(redisUrl, 'used_memory_peak')) / 2 ** 20, 1),
      redis_connections: (await infoOf(redisUrl, 'connected_clients')) - 1,
      create_p99_ms: roundedPercentile(createMs, 99, 1),
      ...{ idle, busy, audit: await auditLives(run, pipeline, charges) },
    },
  };
}

const SERVICE = 'scaled service';

async function expectStarted({ tail }: PipelineStack['workers'][number]): Promise<void> {
  if (!(await tail()).includes('workers started')) throw new Error('it has not started yet');
}

/** Statements of the service a second, and the CPU of each part in cores. */
async function during(run: BenchRun, pipeline: PipelineStack, work: () => Promise<void>) {
  const { stack, apis, workers, sandbox } = pipeline;
  const pids = {
    ...Object.fromEntries(apis.map(({ pid }, n) => [`apis ${n}`, pid])),
    ...Object.fromEntries(workers.map(({ pid }, n) => [`workers ${n}`, pid])),
    ...{ postgres: await postgresPid(stack.context.db), redis: stack.redis.pid },
    ...{ sandbox: sandbox.pid, sandbox_postgres: sandbox.postgresPid, customers: process.pid },
  };
  const meter = openCpuMeter(pids);
  const connections = await watchConnections(run, pipeline);
  const startedMs = performance.now();
  const statements = await statementsDuring(stack.context.db, () => meter.during(work));
  const ms = performance.now() - startedMs;
  const cores: Record<string, number> = {};
  for (const [name, share] of Object.entries(meter.per(ms))) {
    const part = name.split(' ')[0]!;
    cores[part] = (cores[part] ?? 0) + share;
  }
  const own = statements.filter(({ text }) => !text.includes('pg_stat_activity'));
  return {
    connections: await connections.end(),
    statements_per_second: rounded((callsOf(own) * 1_000) / ms, 2),
    cpu: Object.fromEntries(Object.entries(cores).map(([part, used]) => [part, rounded(used, 3)])),
  };
}

async function watchConnections({ scope, stopped }: BenchRun, { stack }: PipelineStack) {
  const connectionString = stack.postgres.url(DATABASE);
  const session = scope.use(await openSession({ connectionString }));
  const ending = new AbortController();
  let peak = 0;
  const ended = AbortSignal.any([ending.signal, stopped]);
  const watching = until({ everyMs: LOOKS_EVERY_MS, ended }, async () => {
    const [held] = await session.query<{ count: number }>(
      'select count(*) as count from pg_stat_activity where application_name = $1',
      [SERVICE],
    );
    peak = Math.max(peak, held!.count);
    return undefined;
  }).catch(() => {});
  return {
    async end() {
      ending.abort();
      await watching;
      return peak;
    },
  };
}
