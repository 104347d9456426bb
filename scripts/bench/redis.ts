import { join } from 'node:path';
import { Redis } from 'ioredis';
import { SetupError } from '../../config/setup-error.ts';
import { freePort } from '../local/free-port.ts';
import { type ChildOptions, type ProcessScope, type Server, startReady } from './processes.ts';

/** A Redis of the bench's own, with nothing on disk. */
export async function startRedis(run: ProcessScope, dir: string): Promise<Server> {
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const child = await startReady(run, redisOn(port, dir), () => pingRedis(url)).catch(refuse);
  return { ...child, url };
}

export function redisOn(port: number, dir: string): ChildOptions {
  const listening = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir];
  return {
    ...{ name: 'Redis', command: 'redis-server', env: {}, logFile: join(dir, 'redis.log') },
    args: [...listening, '--save', '', '--appendonly', 'no'],
  };
}

export async function pingRedis(url: string): Promise<void> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.ping();
  } finally {
    client.disconnect();
  }
}

/** A figure of a Redis, by its name in `INFO`. */
export async function infoOf(url: string, name: string): Promise<number> {
  const client = new Redis(url);
  const info = await client.info();
  client.disconnect();
  return Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1]);
}

function refuse(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ENOENT') throw error;
  throw new SetupError(
    'redis-server is not installed, and this bench measures the service with its queues on Redis: install it first.',
  );
}
