import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sampleCredentials } from '../../domain/providers/port/credentials.ts';
import { providerNamed } from '../../domain/providers/registry.ts';
import { newId } from '../../domain/shared/ids.ts';
import { type Slot, slots } from '../../domain/shared/slot.ts';
import { expectAnswer } from '../local/api-call.ts';
import { removePostgres, startPostgres } from '../local/postgres.ts';
import { BenchFailure, type BenchRun } from './bench.ts';
import { openCpuMeter, postgresPid } from './cpu.ts';
import { inRounds, median, rounded } from './figures.ts';
import { guarantees } from './guarantees.ts';
import type { FloorAccount, FloorMerchant } from './life-floor-calls.ts';
import { customersOf, KEEPS_TIMES, type PipelineStack } from './pipeline-stack.ts';
import { startServer } from './processes.ts';
import { COUNTING, openSession } from './session.ts';

const DATABASE = 'floor';
const GUARANTEES_RATE = 100;
const GUARANTEES_SECONDS = 6;
const GUARANTEES_ROUNDS = 5;

export type PipelineFloor = Awaited<ReturnType<typeof startPipelineFloor>>;

/**
 * The floor beside a pipeline, with its sandbox and receivers, and merchants of its own. CPU is
 * counted by server, and the service's is never idle: the floor's database is on another PostgreSQL
 * with the same settings.
 */
export async function startPipelineFloor(run: BenchRun, pipeline: PipelineStack) {
  const { stack, sandbox, receivers } = pipeline;
  const home = join(stack.dir, 'floor');
  await mkdir(home);
  run.scope.defer(() => removePostgres(home));
  const settings = [COUNTING, KEEPS_TIMES];
  const postgres = run.scope.use(await startPostgres({ dir: home, durable: true, settings }));
  await postgres.createDatabase(DATABASE);
  const connectionString = postgres.url(DATABASE);
  const adapters = stack.context.env.slots;
  const merchants = receivers.urls.map((url) => merchantOf(url, adapters, sandbox.url));
  const { NODE_ENV = '', DATABASE_POOL_SIZE = '' } = stack.env;
  const server = await startServer(run, {
    ...{ name: 'floor', main: 'scripts/bench/life-floor.ts', dir: stack.dir, readyPath: '/' },
    env: {
      ...{ NODE_ENV, DATABASE_POOL_SIZE, DATABASE_URL: connectionString },
      MERCHANTS: JSON.stringify(merchants),
    },
  });
  await registerMerchants(merchants, sandbox.url, server.url);
  const db = run.scope.use(await openSession({ connectionString }));
  return {
    db,
    pids: { floor: server.pid, postgres: await postgresPid(db) },
    serve: customersOf(run, receivers, {
      urls: [server.url],
      keys: merchants.map(({ key }) => key),
    }),
    /** From now on the floor keeps the first so many guarantees. */
    keep: (count: number) => expectAnswer(server.url, { path: '/guarantees', body: { count } }),
  };
}

/** Has the sandbox notify the floor. */
export async function registerMerchants(
  merchants: readonly FloorMerchant[],
  sandboxUrl: string,
  floorUrl: string,
): Promise<void> {
  for (const { accounts } of merchants)
    for (const { id, adapter: provider, credentials } of Object.values(accounts)) {
      const notificationUrl = `${floorUrl}/notifications/${id}`;
      const body = { provider, ...credentials, notification_url: notificationUrl };
      await expectAnswer(sandboxUrl, { path: '/_control/accounts', body });
    }
}

/** With an account at each provider. */
export function merchantOf(
  url: string,
  adapters: Readonly<Record<Slot, string | null>>,
  sandboxUrl: string,
): FloorMerchant {
  const now = new Date();
  const hex = (digits: number) => randomBytes(digits).toString('hex').slice(0, digits);
  const accountAt = (slot: Slot): FloorAccount => {
    const adapter = adapters[slot]!;
    const credentials = sampleCredentials(providerNamed(adapter), hex);
    return { id: newId('con', now), adapter, baseUrl: `${sandboxUrl}/${adapter}`, credentials };
  };
  return {
    key: `svc_sk_test_${hex(40)}`,
    tenantId: newId('ten', now),
    accounts: Object.fromEntries(slots.map((slot) => [slot, accountAt(slot)])) as Record<
      Slot,
      FloorAccount
    >,
    webhook: { url, secret: `whsec_${randomBytes(32).toString('base64')}` },
  };
}

/** CPU in ms for one charge: of the floor, and how much more with each guarantee. */
export async function measureGuarantees(run: BenchRun, floor: PipelineFloor) {
  const cpuMsWith = async (count: number) => {
    await floor.keep(count);
    const meter = openCpuMeter(floor.pids);
    const { charges } = await meter.during(() => floor.serve(GUARANTEES_RATE, GUARANTEES_SECONDS));
    const arrived = [...charges.values()].filter(({ webhookAtMs }) => webhookAtMs).length;
    if (arrived < charges.size)
      throw new BenchFailure(`Of ${charges.size} webhooks of the floor ${arrived} arrived.`);
    const { floor: own = Number.NaN, postgres = Number.NaN } = meter.per(charges.size);
    return own + postgres;
  };
  const names = ['none', ...guarantees.map(({ name }) => name)];
  run.print(`The floor at ${GUARANTEES_RATE}/s with each guarantee more …`);
  await cpuMsWith(guarantees.length); // what is compiled once
  const questions = names.map((name, count) => [name, () => cpuMsWith(count)] as const);
  const rounds = await inRounds(run, GUARANTEES_ROUNDS, Object.fromEntries(questions), (ms) =>
    names.map((name) => `${name} ${ms[name]!.toFixed(2)}`).join(', '),
  );
  return guaranteeFigures(rounds);
}

/** Of the medians over the rounds. */
export function guaranteeFigures(rounds: readonly Record<string, number>[]) {
  const medians = Object.keys(rounds[0]!).map(
    (name) => [name, median(rounds.map((round) => round[name]!))] as const,
  );
  const [[, floor], ...more] = medians as [(typeof medians)[number], ...typeof medians];
  const added = more.map(([name, ms], n) => [name, rounded(ms - medians[n]![1], 2)]);
  return {
    ...{ rate: GUARANTEES_RATE, floor: rounded(floor, 2), added: Object.fromEntries(added) },
    with_all: rounded(medians.at(-1)![1], 2),
  };
}
