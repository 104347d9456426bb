import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { runAfterDeath } from '../../scripts/local/after-death.ts';
import { freePort } from '../../scripts/local/free-port.ts';
import { killed } from './killed.ts';

export interface OwnRedis extends AsyncDisposable {
  url: string;
  port: number;
  call(...command: [string, ...string[]]): Promise<unknown>;
  kill(): Promise<void>;
}

/** Starts `redis-server` with nothing stored on disk; undefined where it is not installed. */
export function startRedis(...settings: string[]): Promise<OwnRedis | undefined> {
  return startRedisServer(['--save', '', '--appendonly', 'no', ...settings]);
}

/**
 * Starts `redis-server` with these arguments, a configuration file first, in a folder of its own: a
 * master writes what its replica asks for to disk, and a server reads that when it starts.
 */
export async function startRedisServer(args: readonly string[]): Promise<OwnRedis | undefined> {
  const port = await freePort();
  const dir = await mkdtemp(join(tmpdir(), 'redis-'));
  const local = ['--port', String(port), '--bind', '127.0.0.1', '--protected-mode', 'no'];
  const server = spawn('redis-server', [...args, ...local, '--dir', dir], { stdio: 'ignore' });
  const failed = await Promise.race([
    once(server, 'error').then(() => true),
    once(server, 'spawn').then(() => false),
  ]);
  if (failed) return undefined;
  const guard = runAfterDeath('kill -9 "$1"', [String(server.pid)]);
  const client = new Redis(port, {
    maxRetriesPerRequest: null,
    retryStrategy: () => 20,
    enableReadyCheck: false,
  });
  client.on('error', () => {});
  await client.ping();
  const kill = async () => {
    client.disconnect();
    await killed(server);
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    call: (command, ...rest) => client.call(command, ...rest),
    kill,
    async [Symbol.asyncDispose]() {
      await kill();
      await guard[Symbol.asyncDispose]();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
