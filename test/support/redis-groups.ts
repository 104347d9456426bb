import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../scripts/local/free-port.ts';
import { type OwnRedis, startRedis, startRedisServer } from './redis.ts';
import { RARELY_MS, until } from './until.ts';

export interface RedisGroup extends AsyncDisposable {
  url: string;
  servers: OwnRedis[];
}

/** A master, its replica, and three sentinels of which two must agree that the master is away. */
export async function startSentinelGroup(): Promise<RedisGroup | undefined> {
  await using starting = new AsyncDisposableStack();
  const dir = await newFolder(starting);
  const master = await startRedis('--repl-diskless-sync-delay', '0');
  if (!master) return undefined;
  starting.use(master);
  const replica = starting.use((await startRedis('--replicaof', '127.0.0.1', `${master.port}`))!);
  await until('replication', async () =>
    String(await replica.call('info', 'replication')).includes('master_link_status:up'),
  );
  const sentinels = await Promise.all([1, 2, 3].map((n) => startSentinel(dir, n, master.port)));
  for (const sentinel of sentinels) starting.use(sentinel);
  await Promise.all(sentinels.map((sentinel) => until('the group', () => knowsAll(sentinel))));
  const running = starting.move();
  const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return {
    url: `redis+sentinel://${hosts}/payments`,
    servers: [master, replica],
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function startSentinel(dir: string, n: number, masterPort: number): Promise<OwnRedis> {
  const file = join(dir, `sentinel-${n}.conf`);
  const lines = [
    `dir ${dir}`,
    `sentinel monitor payments 127.0.0.1 ${masterPort} 2`,
    'sentinel down-after-milliseconds payments 500',
    'sentinel failover-timeout payments 2000',
  ];
  await writeFile(file, `${lines.join('\n')}\n`);
  const sentinel = (await startRedisServer([file, '--sentinel']))!;
  // Redis 7 and later let tests shorten the seconds between what sentinels tell each other.
  await sentinel
    .call('sentinel', 'debug', 'publish-period', '100', 'info-period', '100', 'ask-period', '100')
    .catch(() => {});
  return sentinel;
}

async function knowsAll(sentinel: OwnRedis): Promise<boolean> {
  const state = (await sentinel.call('sentinel', 'master', 'payments')) as string[];
  const count = (name: string) => Number(state[state.indexOf(name) + 1]);
  return count('num-slaves') === 1 && count('num-other-sentinels') === 2;
}

const SLOTS = 16_384;

export async function startCluster(): Promise<RedisGroup | undefined> {
  await using starting = new AsyncDisposableStack();
  const dir = await newFolder(starting);
  const servers: OwnRedis[] = [];
  const busPorts: string[] = [];
  for (const n of [0, 1, 2]) {
    const busPort = String(await freePort());
    const settings = ['--cluster-enabled', 'yes', '--cluster-port', busPort];
    const file = join(dir, `nodes-${n}.conf`);
    const server = await startRedis(...settings, '--cluster-config-file', file);
    if (!server) return undefined;
    servers.push(starting.use(server));
    busPorts.push(busPort);
  }
  for (const [n, server] of servers.entries()) {
    const from = Math.floor((n * SLOTS) / servers.length);
    const to = Math.floor(((n + 1) * SLOTS) / servers.length) - 1;
    await server.call('cluster', 'addslotsrange', String(from), String(to));
    if (n > 0)
      await servers[0]!.call('cluster', 'meet', '127.0.0.1', `${server.port}`, busPorts[n]!);
  }
  for (const server of servers) await until('the cluster', () => isWhole(server), RARELY_MS);
  const running = starting.move();
  const hosts = servers.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return {
    url: `redis+cluster://${hosts}`,
    servers,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function isWhole(server: OwnRedis): Promise<boolean> {
  const info = String(await server.call('cluster', 'info'));
  return info.includes('cluster_state:ok') && info.includes('cluster_known_nodes:3');
}

async function newFolder(scope: AsyncDisposableStack): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'payments-redis-'));
  scope.defer(() => rm(dir, { recursive: true, force: true }));
  return dir;
}
