import pg from 'pg';
import { RateLimiterPostgres, RateLimiterRedis } from 'rate-limiter-flexible';
import { withDeadline } from '../deadline.ts';
import type { Logger } from '../logger.ts';
import { openRedis } from '../queues/redis.ts';

export interface LimitStore extends AsyncDisposable {
  /** Returns the total of the key's current window, and what remains of its time. */
  add(key: string, points: number, windowMs: number): Promise<{ consumed: number; restMs: number }>;
  /** Deletes windows that ended a while ago. Never fails. */
  sweep(): Promise<void>;
}

export interface LimitStoreOptions {
  databaseUrl: string;
  redisUrl: string | null;
  prefix?: string;
  log: Logger;
}

/** While the store is unreachable its calls fail at once; it reconnects by itself. */
export function openLimitStore(options: LimitStoreOptions): Promise<LimitStore> {
  return options.redisUrl ? onRedis(options, options.redisUrl) : onPostgres(options);
}

const DEAD_AFTER_MS = 1_000;

/** Callers name points and duration at each call; the library requires some here. */
const UNUSED = { points: 0, duration: 60 };

async function onRedis(
  { prefix = 'pcs', log }: LimitStoreOptions,
  url: string,
): Promise<LimitStore> {
  const client = openRedis(url, {
    lazyConnect: true,
    connectTimeout: DEAD_AFTER_MS,
    commandTimeout: DEAD_AFTER_MS,
    socketTimeout: DEAD_AFTER_MS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
  });
  client.on('error', (error) => log.debug('rate limits on redis', { error: error.message }));
  await withDeadline(client.connect(), DEAD_AFTER_MS).catch(() => {}); // it reconnects by itself
  const limiter = new RateLimiterRedis({
    ...UNUSED,
    storeClient: client,
    keyPrefix: `${prefix}:limit`,
    rejectIfRedisNotReady: true,
  });
  return {
    add: adderOf(limiter),
    sweep: async () => {}, // Redis does so itself
    [Symbol.asyncDispose]: async () => client.disconnect(),
  };
}

/** A call takes a fraction of a millisecond; a pool of its own still counts in a busy service. */
const POSTGRES_CONNECTIONS = 2;
/** Clocks of machines differ: no window may be deleted by another machine's clock. */
const RETENTION_MS = 300_000;

async function onPostgres({ databaseUrl, log }: LimitStoreOptions): Promise<LimitStore> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: POSTGRES_CONNECTIONS,
    keepAlive: true,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: DEAD_AFTER_MS,
    query_timeout: DEAD_AFTER_MS,
  });
  pool.on('error', (error) => log.debug('rate limits in postgres', { error: error.message }));
  await pool.query('select 1').catch(() => {}); // so that the first request finds a connection
  const limiter = new RateLimiterPostgres({
    ...UNUSED,
    storeClient: pool,
    storeType: 'pool',
    keyPrefix: 'limit',
    tableName: 'rate_limits',
    tableCreated: true,
    clearExpiredByTimeout: false,
  });
  return {
    add: adderOf(limiter),
    sweep: () => (limiter as unknown as Sweepable).clearExpired(Date.now() - RETENTION_MS),
    [Symbol.asyncDispose]: () => withDeadline(pool.end(), DEAD_AFTER_MS).catch(() => {}),
  };
}

interface Sweepable {
  clearExpired(beforeMs: number): Promise<void>;
}

/** `penalty` counts without deciding. */
function adderOf(limiter: RateLimiterRedis | RateLimiterPostgres): LimitStore['add'] {
  return async (key, points, windowMs) => {
    const { consumedPoints, msBeforeNext } = await limiter.penalty(key, points, {
      customDuration: windowMs / 1_000,
    });
    return { consumed: consumedPoints, restMs: msBeforeNext };
  };
}
