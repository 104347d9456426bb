import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAfterDeath } from '../../scripts/local/after-death.ts';
import { expectBound } from './bound-statements.ts';
import { endFile } from './file-scope.ts';
import { expectIndexes } from './planned-statements.ts';
import { startTestPostgres } from './postgres.ts';
import { startRedis } from './redis.ts';
import { takeStatements, watchStatements } from './watched-statements.ts';

/**
 * PostgreSQL stops by itself after our death and gets its time; other processes may still write.
 */
const CLEAN_UP =
  'for i in 1 2 3 4 5 6 7 8 9; do [ -e "$1/postgres/data/postmaster.pid" ] && sleep 1; done; rm -rf "$1"; sleep 5; rm -rf "$1"';

let running: AsyncDisposableStack | undefined;

/**
 * The Redis of suites with queues on Redis: REDIS_URL, or a redis-server on the PATH; undefined:
 * none.
 */
export function testRedisUrl(): string | undefined {
  return process.env.REDIS_URL || process.env.TEST_REDIS_URL;
}

/**
 * Runs once, before the first test of a run, in mocha's main process. The worker processes started
 * later find the stores in their environment, and have a temporary folder that is removed with the
 * run.
 */
export async function mochaGlobalSetup(): Promise<void> {
  await using scope = new AsyncDisposableStack();
  const dir = await mkdtemp(join(await fastTmpdir(), 'payments-test-'));
  scope.use(runAfterDeath(CLEAN_UP, [dir]));
  scope.defer(() => rm(dir, { recursive: true, force: true }));
  await chmod(dir, 0o755); // PostgreSQL runs as another user when root starts it
  scope.use(await startTestPostgres(dir));
  const redis = process.env.REDIS_URL ? undefined : await startRedis();
  if (redis) process.env.TEST_REDIS_URL = scope.use(redis).url;
  if (!testRedisUrl()) {
    process.stdout.write(
      '\n*** No Redis: set REDIS_URL or install redis-server. Tests on Redis queues are SKIPPED. ***\n',
    );
  }
  process.env.TMPDIR = dir;
  process.env.NODE_COMPILE_CACHE = join(dir, 'compiled'); // the same few programs are started dozens of times
  running = scope.move();
}

const ROOM = 4 * 1024 ** 3;

/**
 * Memory where there is plenty: a new database is 700 small files, and some disks take ten times as
 * long for them. TMPDIR decides where it is set.
 */
async function fastTmpdir(): Promise<string> {
  if (process.env.TMPDIR) return tmpdir();
  const shared = await statfs('/dev/shm').catch(() => undefined);
  const room = Math.min(shared ? shared.bavail * shared.bsize : 0, process.availableMemory());
  return room > ROOM ? '/dev/shm' : tmpdir();
}

watchStatements();

async function expectSoundStatements(): Promise<void> {
  const statements = takeStatements();
  expectBound(statements);
  await expectIndexes(statements);
}

export const mochaHooks = { afterAll: [endFile, expectSoundStatements] };

export async function mochaGlobalTeardown(): Promise<void> {
  await running?.disposeAsync();
}
