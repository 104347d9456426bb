import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { runAfterDeath } from '../../scripts/local/after-death.ts';
import { freePort } from '../../scripts/local/free-port.ts';

/** A Redis that lives as long as the scope. */
export interface OwnRedis extends AsyncDisposable {
  url: string;
}

/**
 * Starts `redis-server` on a free port with nothing stored on disk; undefined where it is not
 * installed.
 */
export async function startRedis(): Promise<OwnRedis | undefined> {
  const port = await freePort();
  const server = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    {
      stdio: 'ignore',
    },
  );
  const failed = await Promise.race([
    once(server, 'error').then(() => true),
    once(server, 'spawn').then(() => false),
  ]);
  if (failed) return undefined;
  const guard = runAfterDeath('kill -9 "$1"', [String(server.pid)]);
  const url = `redis://127.0.0.1:${port}`;
  await untilAnswers(url);
  return {
    url,
    async [Symbol.asyncDispose]() {
      if (server.exitCode === null && server.signalCode === null) {
        server.kill('SIGKILL');
        await once(server, 'exit');
      }
      await guard[Symbol.asyncDispose]();
    },
  };
}

async function untilAnswers(url: string): Promise<void> {
  const client = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 20 });
  client.on('error', () => {});
  await client.ping();
  client.disconnect();
}
