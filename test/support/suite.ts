import { startTestPostgres, stopTestPostgres } from './postgres.ts';
import { type OwnRedis, startRedis } from './redis.ts';

let redis: OwnRedis | undefined;

/** Where the queues of Redis suites live: REDIS_URL, or a redis-server found on the PATH; undefined: there is none. */
export function testRedisUrl(): string | undefined {
  return process.env.REDIS_URL || redis?.url;
}

/** Runs once, before the first test of a run. */
export async function mochaGlobalSetup(): Promise<void> {
  await startTestPostgres();
  if (!process.env.REDIS_URL) redis = await startRedis();
  if (!testRedisUrl()) {
    process.stdout.write('\n*** No Redis: set REDIS_URL or install redis-server. Tests on Redis queues are SKIPPED. ***\n');
  }
}

/** Runs once, after the last. */
export async function mochaGlobalTeardown(): Promise<void> {
  await redis?.[Symbol.asyncDispose]();
  await stopTestPostgres();
}
