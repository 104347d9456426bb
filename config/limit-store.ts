import { Redis } from 'ioredis';
import pg from 'pg';
import { RateLimiterPostgres, RateLimiterRedis } from 'rate-limiter-flexible';
import { withDeadline } from './deadline.ts';
import type { Logger } from './logger.ts';

/** Where all processes count together. */
export interface LimitStore extends AsyncDisposable {
  /** Adds to what was taken in a key's window, which starts now if none is under way. Tells all that was taken, and the window's rest. */
  add(key: string, points: number, windowMs: number): Promise<{ consumed: number; restMs: number }>;
  /** Drops windows that ended a while ago. Never fails. */
  sweep(): Promise<void>;
}

export interface LimitStoreOptions {
  databaseUrl: string;
  /** Null: the counters live in Postgres. */
  redisUrl: string | null;
  /** Redis keys begin with it, so that several deployments can share one Redis. */
  prefix?: string;
  log: Logger;
}

/** Connects to the store that counts. One that cannot be reached fails its calls at once, and is used as soon as it can. */
export function openLimitStore(options: LimitStoreOptions): Promise<LimitStore> {
  return options.redisUrl ? onRedis(options, options.redisUrl) : onPostgres(options);
}

/** Far longer than anyone waits for the store: a connection that says nothing for so long is dead, and another takes its place. */
const SILENCE_MS = 1_000;

/** What is counted against what is the caller's to say at each call; the library has to be given something. */
const UNUSED = { points: 0, duration: 60 };

async function onRedis(
  { prefix = 'pcs', log }: LimitStoreOptions,
  url: string,
): Promise<LimitStore> {
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: SILENCE_MS,
    commandTimeout: SILENCE_MS,
    socketTimeout: SILENCE_MS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
  });
  client.on('error', (error) => log.debug('rate limits on redis', { error: error.message }));
  await client.connect().catch(() => {}); // it goes on trying by itself
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

/** A block is taken in a fraction of a millisecond, so two are plenty; of its own, so that a busy service still counts. */
const POSTGRES_CONNECTIONS = 2;
/** Clocks of several machines differ, and nobody's window may be dropped by another one's clock. */
const KEPT_MS = 300_000;

async function onPostgres({ databaseUrl, log }: LimitStoreOptions): Promise<LimitStore> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: POSTGRES_CONNECTIONS,
    keepAlive: true,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: SILENCE_MS,
    query_timeout: SILENCE_MS,
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
    sweep: () => (limiter as unknown as Sweepable).clearExpired(Date.now() - KEPT_MS),
    [Symbol.asyncDispose]: () => withDeadline(pool.end(), SILENCE_MS).catch(() => {}),
  };
}

/** The library's own, missing in its types. */
interface Sweepable {
  clearExpired(beforeMs: number): Promise<void>;
}

/** `penalty` is the library's way to count without deciding. */
function adderOf(limiter: RateLimiterRedis | RateLimiterPostgres): LimitStore['add'] {
  return async (key, points, windowMs) => {
    const { consumedPoints, msBeforeNext } = await limiter.penalty(key, points, {
      customDuration: windowMs / 1_000,
    });
    return { consumed: consumedPoints, restMs: msBeforeNext };
  };
}
