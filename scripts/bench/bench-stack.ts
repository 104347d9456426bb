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
import { type LocalPostgres, removePostgres, startPostgres } from '../local/postgres.ts';
import { migrateDatabase } from '../migrate-database.ts';
import { type OwnRedis, startRedis } from './redis.ts';
import { type Server, startServer } from './server.ts';

/**
 * A durable PostgreSQL, a Redis and a migrated database, all in one temporary folder that is
 * removed with the scope.
 */
export interface BenchStack extends AsyncDisposable {
  dir: string;
  postgres: LocalPostgres;
  /** Everything PostgreSQL logs. */
  postgresLog: string;
  redis: OwnRedis;
  /** The settings of the service's processes. */
  env: Record<string, string>;
  /** The service's database and queues, as the bench looks at them. */
  context: Context;
}

/** The service's database. */
export const DATABASE = 'payments';

/** `settings`: further settings of PostgreSQL, as `name=value`. */
export async function openBenchStack(settings: readonly string[] = []): Promise<BenchStack> {
  await using opening = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), 'payments-bench-'));
  opening.defer(() => removePostgres(dir));
  const redis = opening.use(await startRedis(dir));
  const postgres = opening.use(await startPostgres({ dir, durable: true, settings }));
  await postgres.createDatabase(DATABASE);
  await migrateDatabase(postgres.url(DATABASE), new Date());
  const env = serviceEnv(postgres.url(DATABASE), redis.url);
  const context = opening.use(await openContext(readEnv(env), { log: createLogger('error') }));
  const running = opening.move();
  const close = () => running.disposeAsync();
  return {
    dir,
    postgres,
    postgresLog: join(dir, 'postgres.log'),
    redis,
    env,
    context,
    [Symbol.asyncDispose]: close,
  };
}

/** The settings of a service in production, with secrets of its own. */
export function serviceEnv(databaseUrl: string, redisUrl: string): Record<string, string> {
  return {
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: '20',
    REDIS_URL: redisUrl,
    MASTER_KEY: `bench:${randomBytes(32).toString('base64')}`,
    OPERATOR_PASSWORD: randomBytes(15).toString('base64url'),
  };
}

/** The API in a process of its own, which counts requests like any other but limits none. */
export function startApi({ dir, env }: BenchStack): Promise<Server> {
  return startServer({
    name: 'API',
    main: 'scripts/bench/api.ts',
    env,
    logFile: join(dir, 'api.log'),
    readyPath: '/readyz',
  });
}

/** What the service is measured against, in a process of its own. */
export function startBaseline(
  { dir, env }: BenchStack,
  main: string,
  databaseUrl: string,
): Promise<Server> {
  const { NODE_ENV = '', DATABASE_POOL_SIZE = '' } = env;
  const baselineEnv = { NODE_ENV, DATABASE_POOL_SIZE, DATABASE_URL: databaseUrl };
  return startServer({
    name: 'baseline',
    main,
    env: baselineEnv,
    logFile: join(dir, 'baseline.log'),
    readyPath: '/',
  });
}

/**
 * A tenant connected in test mode to a sandbox that does not run, with that many secret test keys.
 */
export async function addTenant(
  context: Context,
  secretKeys: number,
): Promise<{ tenantId: string; connectionId: string; keys: string[] }> {
  return context.transaction(async (tx) => {
    const { tenant_id: tenantId } = await createTenant(tx, {
      name: 'Bench Store',
      ownerEmail: `owner-${randomBytes(6).toString('hex')}@bench.example`,
    });
    const test = { tenantId, mode: 'test' as const };
    const credentials = { secret_key: `sk_test_${randomBytes(20).toString('hex')}` };
    const account = {
      slot: 'provider_a',
      adapter: 'paystack',
      credentials,
      sandbox: true,
    } as const;
    const { id } = addConnection(tx, draftConnection(tx, test, account), 0);
    const secretKey = { kind: 'secret', name: null } as const;
    const keys = Array.from({ length: secretKeys }, () => addApiKey(tx, test, secretKey).key);
    return { tenantId, connectionId: id, keys };
  });
}
