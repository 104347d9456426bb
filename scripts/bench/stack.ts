import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Context, openContext } from '../../config/context.ts';
import { readEnv } from '../../config/env.ts';
import { createLogger } from '../../config/logger.ts';
import { addApiKey } from '../../domain/accounts/api-key/api-keys.ts';
import { addConnection, draftConnection } from '../../domain/accounts/connection/connections.ts';
import { createTenant } from '../../domain/accounts/tenant/create-tenant.ts';
import { addEndpoint } from '../../domain/webhooks/endpoint/create.ts';
import { defaultEventTypes } from '../../domain/webhooks/event/publish.ts';
import { removePostgres, startPostgres } from '../local/postgres.ts';
import { until } from '../local/until.ts';
import { migrateDatabase } from '../migrate-database.ts';
import { addSandboxConnections } from '../sandbox-tenant.ts';
import type { BenchRun } from './bench.ts';
import { type Child, type Server, startProgram, startServer } from './processes.ts';
import { startRedis } from './redis.ts';
import { COUNTING } from './session.ts';

/** A durable PostgreSQL, a Redis and a migrated database, in one temporary folder. */
export type BenchStack = Awaited<ReturnType<typeof openStack>>;

export const DATABASE = 'payments';

/** `settings`: further settings of PostgreSQL, as `name=value`. */
export async function openStack(run: BenchRun, settings: readonly string[] = []) {
  const { scope, print, stopped } = run;
  print('Starting PostgreSQL, Redis and what else is measured …');
  const dir = await mkdtemp(join(tmpdir(), 'payments-bench-'));
  scope.defer(() => removePostgres(dir));
  const redis = await startRedis(run, dir);
  const postgres = scope.use(
    await startPostgres({ dir, durable: true, settings: [COUNTING, ...settings] }),
  );
  await postgres.createDatabase(DATABASE);
  await migrateDatabase(postgres.url(DATABASE), new Date());
  const env = serviceEnv(postgres.url(DATABASE), redis.url);
  const context = scope.use(await openOn(env));
  stopped.throwIfAborted();
  return { run, dir, postgres, redis, env, context };
}

/** The service's context for these settings, which logs nothing but errors. */
export function openOn(env: Record<string, string>, clock?: () => Date): Promise<Context> {
  return openContext(readEnv(env), { log: createLogger('error'), ...(clock && { clock }) });
}

/** Settings of a service in production, with secrets of its own. */
export function serviceEnv(databaseUrl: string, redisUrl: string): Record<string, string> {
  return {
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: '20',
    REDIS_URL: redisUrl,
    MASTER_KEY: `bench:${randomBytes(32).toString('base64')}`,
    OPERATOR_PASSWORD: randomBytes(15).toString('base64url'),
    WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
  };
}

/** The API in a process of its own, which counts requests like any other but limits none. */
export function startApi({ run, dir, env }: BenchStack, name = 'API'): Promise<Server> {
  const main = 'scripts/bench/api.ts';
  return startServer(run, { name, main, env, dir, readyPath: '/readyz' });
}

/** Workers of these pools, or of all, in one process. */
export function startWorkers(
  { run, dir, env }: BenchStack,
  { pools = [], name = 'workers' }: { pools?: string[]; name?: string } = {},
): Promise<Child> {
  return startProgram(run, { name, main: 'workers/main.ts', args: pools, env, dir });
}

interface Wanted {
  secretKeys?: number;
  /** Three connections to the sandbox instead of one to a provider that does not answer. */
  isOnSandbox?: boolean;
  webhookUrl?: string;
  eventTypes?: Parameters<typeof addEndpoint>[2]['eventTypes'];
}

/** Thousands of them: nobody guesses at these passwords. */
const QUICK = { memory: 8, passes: 1, parallelism: 1 };

export type BenchTenant = Awaited<ReturnType<typeof addTenant>>;

export function addTenant(
  context: Context,
  { secretKeys = 0, isOnSandbox = false, webhookUrl, eventTypes = defaultEventTypes }: Wanted = {},
) {
  return context.inTx(async (tx) => {
    const { tenant_id: tenantId, owner } = await createTenant(tx, {
      name: 'Bench Store',
      ownerEmail: `owner-${randomBytes(6).toString('hex')}@bench.example`,
      passwordCost: QUICK,
    });
    const test = { tenantId, mode: 'test' as const };
    const account = {
      ...({ slot: 'provider_a', adapter: 'paystack', sandbox: true } as const),
      credentials: { secret_key: `sk_test_${randomBytes(20).toString('hex')}` },
    };
    let connectionId = '';
    if (isOnSandbox) addSandboxConnections(tx, context, tenantId);
    else connectionId = addConnection(tx, draftConnection(tx, test, account), 0).id;
    const endpoint = webhookUrl && addEndpoint(tx, test, { url: webhookUrl, eventTypes });
    const { row, secret: webhookSecret } = endpoint || { row: { id: '' }, secret: '' };
    const secretKey = { kind: 'secret', name: null } as const;
    const keys = Array.from({ length: secretKeys }, () => addApiKey(tx, test, secretKey).key);
    return { tenantId, connectionId, endpointId: row.id, webhookSecret, keys, owner };
  });
}

/** How long these attempts took to be open, in ms, once so many are; undefined: not in time. */
export function untilAccepted(
  { db }: Context,
  of: { charge_id: readonly string[] } | { connection_id: readonly string[] },
  count: number,
  patience: Parameters<typeof until>[0],
): Promise<number[] | undefined> {
  const [[column, ids]] = Object.entries(of) as [[string, readonly string[]]];
  return until(patience, async () => {
    const rows = await db.query<{ ms: number }>(
      `select extract(epoch from accepted_at - created_at)::float8 * 1000 as ms
       from attempts where ${column} = any($1) and status = 'open'`,
      [ids],
    );
    return rows.length === count ? rows.map(({ ms }) => ms) : undefined;
  });
}
