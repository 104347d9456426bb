import { randomBytes } from 'node:crypto';
import { type LimitStore, openLimitStore } from '../../../config/limits/limit-store.ts';
import { createLimits, type Limits } from '../../../config/limits/limits.ts';
import { type RateLimit, type RateLimits, rateLimits } from '../../../config/limits/rate-limits.ts';
import { openDatabase } from '../../../scripts/sandbox/database.ts';
import { newDatabase } from '../../support/postgres.ts';
import { testRedisUrl } from '../../support/suite.ts';

export interface Counters {
  databaseUrl: string;
  redisUrl: string | null;
  prefix: string;
  /** What a test opens, until it ends. */
  scope: AsyncDisposableStack;
}

/** Counters in one store, new for each test. */
export function useCounters(store: 'postgres' | 'redis'): Counters {
  const counters = {} as Counters;
  before(async () => {
    const databaseUrl = store === 'postgres' ? await newDatabase() : '';
    Object.assign(counters, { databaseUrl, redisUrl: store === 'redis' ? testRedisUrl() : null });
  });
  beforeEach(async () => {
    const prefix = `test-${randomBytes(6).toString('hex')}`;
    Object.assign(counters, { prefix, scope: new AsyncDisposableStack() });
    if (store === 'postgres') await queryCounters(counters, 'delete from rate_limits');
  });
  afterEach(() => counters.scope?.disposeAsync());
  return counters;
}

export async function queryCounters({ databaseUrl }: Counters, text: string) {
  await using database = openDatabase(databaseUrl);
  return await database.sql.query<{ key: string }>(text);
}

export interface Limiter extends Limits {
  store: LimitStore;
  asked: number[];
  logged: string[];
}

export interface LimiterOptions {
  processes?: number;
  storeTimeoutMs?: number;
  /** The store does what it is asked, but its answers wait for this. */
  answersAfter?: Promise<unknown>;
}

/**
 * Opens the limits of one process; every limit is the same one. The store may take its time unless
 * the test is about that.
 */
export async function openLimiter(
  counters: Counters,
  limit: RateLimit,
  { processes = 1, storeTimeoutMs = 10_000, answersAfter }: LimiterOptions = {},
): Promise<Limiter> {
  const logged: string[] = [];
  const asked: number[] = [];
  const note = (message: unknown) => void logged.push(String(message));
  const log = { info: note, warn: note, error: note, debug: () => {} } as unknown as Parameters<
    typeof createLimits
  >[1]['log'];
  const store = await openLimitStore({ ...counters, log });
  const counting: LimitStore = {
    ...store,
    add: async (key, points, windowMs) => {
      asked.push(points);
      const answer = await store.add(key, points, windowMs);
      await answersAfter;
      return answer;
    },
  };
  const rules = Object.fromEntries(
    Object.keys(rateLimits).map((name) => [name, limit]),
  ) as RateLimits;
  return {
    ...createLimits(counting, { rules, processes, log, storeTimeoutMs }),
    store,
    asked,
    logged,
  };
}

export async function takeMany(limiters: readonly Limits[], times: number, subject = 'somebody') {
  const takes = Array.from({ length: times }, (_, index) =>
    limiters[index % limiters.length]!.take('secretKey', subject),
  );
  return (await Promise.all(takes)).filter(({ allowed }) => allowed).length;
}
