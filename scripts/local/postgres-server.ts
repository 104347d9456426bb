import { type ChildProcess, spawn } from 'node:child_process';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { SetupError } from '../../config/setup-error.ts';
import type { DataOptions } from './postgres-data.ts';
import { dataIn } from './postgres-folder.ts';
import { guardAgainstOurDeath } from './postgres-guard.ts';
import { assertFreePort, freePort } from './postgres-port.ts';
import { spawnAs } from './postgres-user.ts';

export interface ServerOptions extends DataOptions {
  port: number | undefined;
  password: string;
  guarded: boolean;
}

export interface Server extends AsyncDisposable {
  port: number;
}

interface Launched extends Server {
  /** How the process ended, once it has. */
  ended: Promise<string>;
}

const readyWithinMs = 20_000;

/** Fast shutdown, then immediate, then what nothing survives. Fast needs time to write out what is in memory. */
const waysToStop = [
  ['SIGINT', 20_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
] as const;

/** Starts the server process and waits until it answers. A port that was free a moment ago may be gone: another one is tried. */
export async function startServer(options: ServerOptions): Promise<Server> {
  await rename(logIn(options.dir), `${logIn(options.dir)}.old`).catch(() => {}); // one run back: it may tell why that one ended
  for (let triesLeft = 5; ; triesLeft--) {
    const port = options.port === undefined ? await freePort() : await assertFreePort(options.port);
    const server = await launch(options, port);
    const trouble = await troubleStarting(server, options.password);
    if (!trouble) return server;
    await server[Symbol.asyncDispose]();
    const lines = await lastLines(options.dir);
    if (triesLeft === 0 || !isPassing(lines))
      throw new SetupError(
        `PostgreSQL did not start (${trouble}); ${logIn(options.dir)} ends with: ${lines}`,
      );
    await delay(100);
  }
}

/** The port was taken since we looked, or the last processes of a killed server are still leaving. */
function isPassing(lines: string): boolean {
  return /Address already in use|pre-existing shared memory block/.test(lines);
}

/** The process gets a group of its own, so that Ctrl-C reaches only us, who stop it last. */
async function launch(options: ServerOptions, port: number): Promise<Launched> {
  await using log = await open(logIn(options.dir), 'w', 0o600);
  const args = ['-D', dataIn(options.base), '-p', String(port), ...settings(options.durable)];
  const child = spawnAs(options.user, (as) =>
    spawn(options.binaries.postgres, args, {
      ...as,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    }),
  );
  child.unref(); // a caller that forgets to stop us can still end, and the guard stops the server then
  const guard =
    child.pid && options.guarded ? guardAgainstOurDeath(child.pid, options.user) : undefined;
  const ended = endOf(child).finally(() => guard?.[Symbol.asyncDispose]());
  const silence = tellWhenEnded(ended, options);
  const stop = () => {
    silence();
    return stopChild(child, ended);
  };
  return { port, ended, [Symbol.asyncDispose]: stop };
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
}

/** A server that ends unasked is worth a line; the returned function says that from now on it is asked. */
function tellWhenEnded(ended: Promise<string>, { dir, log }: ServerOptions): () => void {
  let asked = false;
  void ended.then((how) => {
    if (!asked) log(`PostgreSQL ended by itself (${how}): see ${logIn(dir)}.`);
  });
  return () => {
    asked = true;
  };
}

async function stopChild(child: ChildProcess, ended: Promise<string>): Promise<void> {
  child.ref();
  for (const [signal, patienceMs] of waysToStop) {
    child.kill(signal);
    if (await Promise.race([ended, delay(patienceMs, undefined, { ref: false })])) return;
  }
}

function settings(durable: boolean): string[] {
  const reach = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200'];
  const modest = ['shared_buffers=64MB', 'timezone=UTC', 'log_timezone=UTC'];
  const careless = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
  return [...reach, ...modest, ...(durable ? [] : careless)].flatMap((setting) => ['-c', setting]);
}

/** Nothing once the server answers to our password, which only ours does; else why it does not. */
async function troubleStarting(
  { port, ended }: Launched,
  password: string,
): Promise<string | undefined> {
  const deadline = Date.now() + readyWithinMs;
  for (;;) {
    const refusal = await refusalOf(port, password);
    if (!refusal) return undefined;
    const how = await Promise.race([ended, delay(20)]);
    if (how) return how;
    if (Date.now() > deadline) return `no answer within ${readyWithinMs / 1000} s: ${refusal}`;
  }
}

async function refusalOf(port: number, password: string): Promise<string | undefined> {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    database: 'postgres',
    password,
    connectionTimeoutMillis: 2_000,
  });
  return client.connect().then(
    () => client.end(),
    (error: Error) => error.message,
  ) as Promise<string | undefined>;
}

function logIn(dir: string): string {
  return join(dir, 'postgres.log');
}

async function lastLines(dir: string): Promise<string> {
  return (await readFile(logIn(dir), 'utf8')).trim().split('\n').slice(-5).join(' | ');
}
