import { join } from 'node:path';
import { Redis } from 'ioredis';
import { SetupError } from '../../config/setup-error.ts';
import { freePort } from '../local/free-port.ts';
import { startChild, untilReady } from './child.ts';

/** A Redis of the bench's own, with nothing on disk. */
export interface OwnRedis extends AsyncDisposable {
  url: string;
  pid: number;
}

export async function startRedis(dir: string): Promise<OwnRedis> {
  const port = await freePort();
  const args = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--dir',
    dir,
  ];
  const child = await startChild({
    name: 'Redis',
    command: 'redis-server',
    args,
    env: {},
    logFile: join(dir, 'redis.log'),
  }).catch(refuse);
  await using starting = new AsyncDisposableStack();
  starting.use(child);
  const url = `redis://127.0.0.1:${port}`;
  await untilReady(child, () => ping(url));
  const running = starting.move();
  return { url, pid: child.pid, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

async function ping(url: string): Promise<void> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.ping();
  } finally {
    client.disconnect();
  }
}

function refuse(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ENOENT') throw error;
  throw new SetupError(
    'redis-server is not installed, and this bench measures the service with its queues on Redis: install it first.',
  );
}
