import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Context, openContext } from '../../config/context.ts';
import { readEnv } from '../../config/env.ts';
import { createLogger } from '../../config/logger.ts';
import { ApiKey } from '../../domain/accounts/entities/api-key.ts';
import {
  addConnection,
  createTenant,
  type Desk,
} from '../../domain/accounts/tenant/create-tenant.ts';
import { newKey } from '../../domain/accounts/token/credentials.ts';
import { newId } from '../../domain/shared/ids.ts';
import { sha256Of } from '../../domain/shared/sha256.ts';
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

export async function openBenchStack(): Promise<BenchStack> {
  await using opening = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), 'payments-bench-'));
  opening.defer(() => removePostgres(dir));
  const redis = opening.use(await startRedis(dir));
  const postgres = opening.use(await startPostgres({ dir, durable: true }));
  await postgres.createDatabase(DATABASE);
  await migrateDatabase(postgres.url(DATABASE));
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

function serviceEnv(databaseUrl: string, redisUrl: string): Record<string, string> {
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
  const desk: Desk = { em: context.orm.em.fork(), vault: context.vault, now: context.clock() };
  const { tenant_id } = await createTenant(desk, {
    name: 'Bench Store',
    ownerEmail: `owner-${randomBytes(6).toString('hex')}@bench.example`,
  });
  const credentials = { secret_key: `sk_test_${randomBytes(20).toString('hex')}` };
  const connectionId = addConnection(desk, tenant_id, {
    mode: 'test',
    slot: 'provider_a',
    adapter: 'paystack',
    credentials,
    sandbox: true,
    position: 0,
  });
  const keys = Array.from({ length: secretKeys }, () => addSecretKey(desk, tenant_id));
  await desk.em.flush();
  return { tenantId: tenant_id, connectionId, keys };
}

function addSecretKey({ em, now }: Desk, tenantId: string): string {
  const key = newKey('secret', 'test');
  const id = newId('key', now);
  em.create(ApiKey, {
    id,
    tenant_id: tenantId,
    mode: 'test',
    kind: 'secret',
    sha256: sha256Of(key),
    last4: key.slice(-4),
    created_at: now,
  });
  return key;
}
