import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import type pg from 'pg';
import winston from 'winston';
import { createApiServer } from '../../api/server.ts';
import { type Context, openContext } from '../../config/context.ts';
import { type Env, readEnv } from '../../config/env.ts';
import { type RateLimits, rateLimits } from '../../config/limits/rate-limits.ts';
import { listen } from '../../config/listen.ts';
import { type QueueName, queueNames } from '../../domain/jobs.ts';
import { breakerRules } from '../../domain/providers/guard/breaker.ts';
import { startReceiver } from '../../scripts/local/receiver.ts';
import { startSandbox } from '../../scripts/sandbox/sandbox.ts';
import { type Pools, startPools } from '../../workers/pools.ts';
import { apiClient } from './api.ts';
import { expectBooks } from './books.ts';
import { createClock } from './clock.ts';
import { cheapPasswords } from './passwords.ts';
import { newDatabase, TEST_POOL_SIZE } from './postgres.ts';
import { sandboxControl } from './sandbox-control.ts';
import { settingsFor } from './settings.ts';
import { settle } from './settle.ts';
import { testRedisUrl } from './suite.ts';
import { makeTenant } from './test-tenant.ts';

export type { TestTenant } from './test-tenant.ts';

export type Stack = Awaited<ReturnType<typeof startStack>>;

export interface StackOptions {
  /** Where nothing is said: on Redis, as in production, where there is one. */
  queues?: 'postgres' | 'redis';
  /** False: nothing works through the queues until the test says so. */
  workers?: boolean;
  /**
   * True: the tenants' payouts are reconciled and their payments audited, whenever the clock says
   * so. Stories of days pay for it.
   */
  payouts?: boolean;
  /** True: the tenants' payments are listed, whenever the clock says so. */
  lists?: boolean;
  /**
   * True: the workers sweep every second of the real time, and do their housekeeping, as in
   * production. False: only `settle` sweeps, so that no job begins between the moves of a test, and
   * none costs a fourth of its time.
   */
  sweeps?: boolean;
  env?: Partial<Env>;
}

const quiet = winston.createLogger({ silent: true });

/**
 * The real service in one process: Postgres, queues, API over HTTP, sandbox, receiver; only the
 * clock is ours.
 */
export async function startStack({
  queues = testRedisUrl() ? 'redis' : 'postgres',
  workers = true,
  payouts = false,
  lists = payouts,
  sweeps = false,
  env: overrides = {},
}: StackOptions = {}) {
  await using scope = new AsyncDisposableStack();
  const clock = createClock();
  const queuePrefix = `test-${randomBytes(6).toString('hex')}`;
  const env = { ...testEnv(await newDatabase(), queues), ...overrides };
  const context = scope.use(
    await openContext(env, { clock, log: quiet, queuePrefix, passwordCost: cheapPasswords }),
  );
  const server = scope.use(await listen(createApiServer(context), 0, '127.0.0.1'));
  env.publicUrl = `http://127.0.0.1:${server.port}`;
  const sandbox = scope.use(
    await startSandbox({ sql: context.db, port: 0, now: clock, random: Math.random }),
  );
  env.sandboxUrl = sandbox.url;
  const receiver = scope.use(await startReceiver(0));
  const newTenant = ({ connected = true } = {}) =>
    makeTenant(context, receiver, { connected, payouts, lists });
  const tenant = await newTenant();
  const baseUrl = `${env.publicUrl}/v1`;
  const running = scope.move();
  const started: Pools[] = [];
  /** Starts the workers of a stack that was started without: of some queues, or of all. */
  const startWorkers = (...names: QueueName[]) => {
    const pools = running.use(
      startPools(context, names.length > 0 ? names : queueNames, { sweeps }),
    );
    started.push(pools);
    return pools;
  };
  if (workers) startWorkers();
  const settled = () => settle(context, sandbox, started);
  return {
    context,
    clock,
    tenant,
    /** Calls the API with the tenant's secret test key. */
    api: apiClient(baseUrl, tenant.secret_key_test),
    baseUrl,
    /** Where everything of the service is: `baseUrl` without its path. */
    origin: `http://127.0.0.1:${server.port}`,
    sandbox,
    queuePrefix,
    control: sandboxControl(sandbox.url),
    receiver,
    newTenant,
    startWorkers,
    /** Lets the workers do everything that is due, and everything that follows from it. */
    settle: settled,
    /** Advances the clock, and settles what became due, at the provider too. */
    async pass(ms: number) {
      clock.advance(ms);
      await sandbox.tick();
      await settled();
    },
    /** Has the workers sweep for all that is due by the test clock. Returns how many groups it is of. */
    sweep: async () => {
      const found = await Promise.all(started.map((pools) => pools.sweep()));
      return found.reduce((sum, groups) => sum + groups, 0);
    },
    /** Asks the database. What the template takes in are the statement's parameters. */
    sql: <T = any>(statement: TemplateStringsArray, ...values: unknown[]) =>
      context.db.query<T>(parametersIn(statement), values),
    count: (table: string) => count(context, table),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/**
 * Starts a stack for the tests of the `describe` it is called in, stops it after them, and expects
 * after each that nothing leaks and that the books balance. The object that it returns is filled
 * when the tests begin. `newTenants`: each test has a tenant of its own, made with these options.
 * `books`: false, where rows about money are written by hand.
 */
export function useStack({
  newTenants,
  books = true,
  ...options
}: StackOptions & { newTenants?: boolean | { connected: false }; books?: boolean } = {}): Stack {
  const stack = {} as Stack;
  before(async () => void Object.assign(stack, await startStack(options)));
  after(() => stack[Symbol.asyncDispose]?.());
  const tenantOptions = newTenants === true ? {} : newTenants;
  if (tenantOptions)
    beforeEach(async () => void Object.assign(stack, await withNewTenant(stack, tenantOptions)));
  afterEach(async () => {
    await expectNoLeaks(stack);
    if (books) await expectBooks(stack.context.db);
  });
  return stack;
}

export async function withNewTenant(stack: Stack, options?: { connected?: boolean }) {
  const tenant = await stack.newTenant(options);
  return { ...stack, tenant, api: apiClient(stack.baseUrl, tenant.secret_key_test) };
}

function testEnv(databaseUrl: string, queues: 'postgres' | 'redis'): Env {
  const env = readEnv({
    ...settingsFor(databaseUrl),
    REDIS_URL: queues === 'redis' ? testRedisUrl() : '',
    OPERATOR_PASSWORD: 'operator-password',
    WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
  });
  return {
    ...env,
    databasePoolSize: TEST_POOL_SIZE,
    rateLimits: generousLimits,
    breaker: tireless,
    // Creating tables beside a test slows it down; the tests of partitions ask for them.
    partitionDaysAhead: null,
  };
}

/**
 * A breaker goes by the time that really passes, and tests live through days in a second: those
 * about connections at rest bring their own.
 */
const tireless = { ...breakerRules, minimumCalls: 1_000_000 };

/** More than any test asks for: those about limits bring their own. */
export const generousLimits = Object.fromEntries(
  Object.keys(rateLimits).map((name) => [name, { points: 1_000_000, windowMs: 60_000 }]),
) as RateLimits;

const parametersIn = (statement: TemplateStringsArray) =>
  statement.reduce((text, part, n) => `${text}$${n}${part}`);

async function count({ db }: Context, table: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(`select count(*) as count from ${table}`);
  return row!.count;
}

/** Longer than any transaction of a worker that is in the middle of one. */
const LEFT_OPEN_MS = 2_000;

export async function expectNoLeaks({ context }: Stack): Promise<void> {
  const pool = (await context.orm.em.getConnection().getNativeClient()) as pg.Pool;
  expect(pool.waitingCount, 'statements waiting for a connection').to.equal(0);
  const giveUpMs = performance.now() + LEFT_OPEN_MS;
  let open = await openTransactions(context);
  while (open.size > 0 && performance.now() < giveUpMs)
    open = open.intersection(await openTransactions(context));
  expect(open.size, 'transactions left open').to.equal(0);
}

async function openTransactions({ db }: Context): Promise<Set<string>> {
  const rows = await db.query<{ name: string }>(
    `select concat(pid, ' ', xact_start) as name from pg_stat_activity
     where datname = current_database() and state = 'idle in transaction'`,
  );
  return new Set(rows.map(({ name }) => name));
}
