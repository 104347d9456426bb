import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { SetupError } from '../../config/setup-error.ts';
import { type Stops, signalProcess, startChild, troubleStarting } from './child.ts';
import { freePort } from './free-port.ts';
import { asUser, run, type User } from './run-as.ts';

interface ServerOptions {
  bin: string;
  data: string;
  user: User | undefined;
  logFile: string;
  port: number | undefined;
  durable: boolean;
  hasSocket: boolean;
  settings: readonly string[];
  password: string;
  log: (line: string) => void;
}

const READY_WITHIN_MS = 20_000;
const ORPHAN_STOPS_WITHIN_MS = 30_000;

/** Fast shutdown, which needs time to write out what is in memory; then immediate; then kill. */
const STOPS = Object.entries({ SIGINT: 20_000, SIGQUIT: 5_000, SIGKILL: 5_000 }) as Stops;

/** Another program took the port, or a killed server's processes are still ending. */
const PASSING = /Address already in use|pre-existing shared memory block/;

/** Starts the server process and waits until it answers. */
export async function startServer(
  options: ServerOptions,
): Promise<AsyncDisposable & { port: number }> {
  const { logFile } = options;
  await rename(logFile, `${logFile}.old`).catch(() => {}); // it may print why the last run ended
  for (let triesLeft = 5; ; triesLeft--) {
    const port = options.port ?? (await freePort());
    const server = await launch(options, port);
    const check = () => expectAnswer(port, options.password);
    const trouble = await troubleStarting(check, READY_WITHIN_MS, server.ended);
    if (!trouble) return { ...server, port };
    await server[Symbol.asyncDispose]();
    const end = (await readFile(logFile, 'utf8')).trim().split('\n').slice(-5).join(' | ');
    if (triesLeft === 0 || !PASSING.test(end))
      throw new SetupError(`PostgreSQL did not start (${trouble}); ${logFile} ends with: ${end}`);
    await delay(100);
  }
}

async function launch(options: ServerOptions, port: number) {
  const { bin, data, user, logFile, log, durable, hasSocket } = options;
  const settings = [
    ...['listen_addresses=127.0.0.1', `unix_socket_directories=${hasSocket ? '.' : ''}`],
    ...['max_connections=200', 'shared_buffers=64MB', 'timezone=UTC', 'log_timezone=UTC'],
    ...(durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
    ...options.settings,
  ];
  const child = await startChild(
    join(bin, 'postgres'),
    ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    { logFile, stops: STOPS, options: asUser(user) },
  );
  child.unref();
  let stopping = false;
  void child.ended.then((how) => {
    if (!stopping) log(`PostgreSQL ended by itself (${how}): see ${logFile}.`);
  });
  const stop = () => {
    stopping = true;
    return child[Symbol.asyncDispose]();
  };
  return { ended: child.ended, [Symbol.asyncDispose]: stop };
}

/** Only ours answers to our password. */
async function expectAnswer(port: number, password: string): Promise<void> {
  const connection = { host: '127.0.0.1', port, user: 'postgres', database: 'postgres', password };
  const client = new Client({ ...connection, connectionTimeoutMillis: 2_000 });
  await client.connect();
  await client.end();
}

/** Stops the PostgreSQL that a killed stack left on this data; only for the holder of the lock. */
export async function stopOrphan(data: string, log: (line: string) => void): Promise<void> {
  const pidFile = join(data, 'postmaster.pid');
  const pid = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10);
  if (!(pid > 1)) return;
  // Numbers are given out again, and PostgreSQL does not start while another process has this one.
  if (!(await isServerOn(data, pid))) return rm(pidFile, { force: true });
  log(`Stopping the PostgreSQL that an earlier run left behind (process ${pid}).`);
  signalProcess(pid, 'SIGINT');
  for (const deadline = Date.now() + ORPHAN_STOPS_WITHIN_MS; Date.now() < deadline; ) {
    if (!(await isServerOn(data, pid))) return;
    await delay(20);
  }
  throw new SetupError(`A PostgreSQL on ${data} does not stop: end process ${pid} by hand.`);
}

/** Small container images lack `ps`; a process that was not reaped has no command line. */
async function isServerOn(data: string, pid: number): Promise<boolean> {
  const command =
    process.platform === 'linux'
      ? (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ')
      : `${(await run('ps', ['-o', 'command=', '-p', String(pid)])).output} `;
  return command.includes(` -D ${data} `);
}
