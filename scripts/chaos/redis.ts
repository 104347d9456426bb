import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { pingRedis, redisOn } from '../bench/redis.ts';
import { freePort } from '../local/free-port.ts';
import { until } from '../local/until.ts';
import type { Supervised, SupervisedOptions } from './supervised.ts';
import type { TcpProxy } from './tcp-proxy.ts';

export const redisServers = ['redis-1', 'redis-2'] as const;
export type RedisServer = (typeof redisServers)[number];
const sentinels = ['sentinel-1', 'sentinel-2', 'sentinel-3'] as const;

/** Two Redis servers, of which three sentinels make one the master. */
export type ChaosRedis = Awaited<ReturnType<typeof startChaosRedis>>;

/** What the group needs of the stack that it is part of. */
export interface Surroundings {
  dir: string;
  run(options: SupervisedOptions): Promise<Supervised>;
  linkTo(target: string): Promise<TcpProxy>;
}

const GROUP = 'payments';
/** Longer than a killed server is away: that one comes back as the master, and empty. */
const DOWN_AFTER_MS = 1_500;
const ELECTS_WITHIN_MS = 60_000;

export async function startChaosRedis(around: Surroundings) {
  const first = await startServer(around, 'redis-1');
  const second = await startServer(around, 'redis-2');
  const servers = { 'redis-1': first, 'redis-2': second };
  await call(second.url, 'replicaof', '127.0.0.1', first.port);
  const watching: Awaited<ReturnType<typeof startSentinel>>[] = [];
  for (const name of sentinels) watching.push(await startSentinel(around, name, first.port));
  const all = [...Object.entries(servers), ...watching.map((each) => [each.name, each] as const)];
  const onBoth = (action: 'cut' | 'mend' | 'silence') => () => {
    for (const { link } of Object.values(servers)) link[action]();
  };
  async function master(): Promise<RedisServer> {
    const asked = ['get-master-addr-by-name', GROUP];
    const [, found] = (await call(watching[0]!.url, 'sentinel', ...asked)) as string[];
    return redisServers.find((name) => servers[name].port === found)!;
  }
  const hosts = watching.map(({ url }) => new URL(url).host);
  return {
    /** For the service: the sentinels, who name servers behind the links. */
    url: `redis+sentinel://${hosts.join(',')}/${GROUP}`,
    /** Between the service, the sentinels and both servers. */
    link: { cut: onBoth('cut'), mend: onBoth('mend'), silence: onBoth('silence') },
    processes: Object.fromEntries(all.map(([name, { process }]) => [name, process])) as Record<
      RedisServer | (typeof sentinels)[number],
      Supervised
    >,
    master,
    async untilElected(before: RedisServer) {
      const patience = { everyMs: 100, withinMs: ELECTS_WITHIN_MS };
      const isOther = async () => (await master()) !== before || undefined;
      if (!(await until(patience, isOther)))
        throw new Error('The sentinels elected no other master.');
    },
    empty: async () => void (await call(servers[await master()].url, 'flushall')),
    /** Takes no key more than there are. */
    fill: async () => setMaxMemory(servers[await master()].url, '1'),
    free: () => Promise.all(Object.values(servers).map(({ url }) => setMaxMemory(url, '0'))),
  };
}

const setMaxMemory = (url: string, bytes: string) => call(url, 'config', 'set', 'maxmemory', bytes);

/** A server that everybody else knows by the port of its link. */
async function startServer({ dir, run, linkTo }: Surroundings, name: RedisServer) {
  const home = join(dir, name);
  await mkdir(home);
  const own = await freePort();
  const url = `redis://127.0.0.1:${own}`;
  const link = await linkTo(url);
  const { port } = new URL(link.url);
  const options = redisOn(own, home);
  const announced = ['--replica-announce-ip', '127.0.0.1', '--replica-announce-port', port];
  const args = [...options.args, ...announced];
  const process = await run({ ...options, name, args, check: () => pingRedis(url) });
  await process.untilReady();
  return { url, link, port, process };
}

async function startSentinel({ dir, run }: Surroundings, name: string, masterPort: string) {
  const home = join(dir, name);
  await mkdir(home);
  const port = await freePort();
  const file = join(home, 'sentinel.conf');
  const lines = [
    ...[`port ${port}`, 'bind 127.0.0.1', `dir ${home}`],
    `sentinel monitor ${GROUP} 127.0.0.1 ${masterPort} 2`,
    `sentinel down-after-milliseconds ${GROUP} ${DOWN_AFTER_MS}`,
    `sentinel failover-timeout ${GROUP} 6000`,
  ];
  await writeFile(file, `${lines.join('\n')}\n`);
  const url = `redis://127.0.0.1:${port}`;
  const process = await run({
    ...{ name, command: 'redis-server', args: [file, '--sentinel'], env: {} },
    ...{ logFile: join(home, 'sentinel.log'), check: () => pingRedis(url) },
  });
  await process.untilReady();
  return { name, url, process };
}

async function call(url: string, command: string, ...args: string[]): Promise<unknown> {
  const client = new Redis(url, { enableReadyCheck: false, maxRetriesPerRequest: 20 });
  client.on('error', () => {});
  try {
    return await client.call(command, ...args);
  } finally {
    client.disconnect();
  }
}
