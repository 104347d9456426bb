import { type ChildProcess, spawn } from 'node:child_process';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { SetupError } from '../../config/setup-error.ts';
import { runAfterDeath } from './after-death.ts';
import { freePort } from './free-port.ts';
import { asUser, run, type User } from './run-as.ts';

export interface ServerOptions {
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

export interface Server extends AsyncDisposable {
  port: number;
}

interface Launched extends Server {
  /** How the process ended, once it has. */
  ended: Promise<string>;
}

const READY_WITHIN_MS = 20_000;
const ORPHAN_STOPS_WITHIN_MS = 30_000;

/** Fast shutdown, which needs time to write out what is in memory; then immediate; then kill. */
const STOP_SIGNALS = [
  ['SIGINT', 20_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
] as const;

/** Another program took the port, or a killed server's processes are still ending. */
const PASSING = /Address already in use|pre-existing shared memory block/;

/** Starts the server process and waits until it answers. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { logFile } = options;
  await rename(logFile, `${logFile}.old`).catch(() => {}); // it may print why the last run ended
  for (let triesLeft = 5; ; triesLeft--) {
    const server = await launch(options, options.port ?? (await freePort()));
    const trouble = await troubleStarting(server, options.password);
    if (!trouble) return server;
    await server[Symbol.asyncDispose]();
    const end = (await readFile(logFile, 'utf8')).trim().split('\n').slice(-5).join(' | ');
    if (triesLeft === 0 || !PASSING.test(end)) {
      throw new SetupError(`PostgreSQL did not start (${trouble}); ${logFile} ends with: ${end}`);
    }
    await delay(100);
  }
}

/** Stops the PostgreSQL that a killed stack left on this data; only for the holder of the lock. */
export async function stopOrphan(data: string, log: (line: string) => void): Promise<void> {
  const pidFile = join(data, 'postmaster.pid');
  const pid = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10);
  if (!(pid > 1)) return;
  // Numbers are given out again, and PostgreSQL does not start while another process has this one.
  if (!(await isServerOn(data, pid))) return rm(pidFile, { force: true });
  log(`Stopping the PostgreSQL that an earlier run left behind (process ${pid}).`);
  try {
    process.kill(pid, 'SIGINT');
  } catch {
    // It may end by itself at any moment.
  }
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

/** The process gets a group of its own, so that Ctrl-C reaches only us, who stop it last. */
async function launch(options: ServerOptions, port: number): Promise<Launched> {
  const { bin, data, user, logFile, log } = options;
  await using output = await open(logFile, 'w', 0o600);
  const child = spawn(
    join(bin, 'postgres'),
    ['-D', data, '-p', String(port), ...settingArgs(options)],
    { ...asUser(user), detached: true, stdio: ['ignore', output.fd, output.fd] },
  );
  child.unref(); // a caller that forgets to stop it can still end; then the guard stops it
  const guard = child.pid && runAfterDeath('kill -INT "$1"', [String(child.pid)], user);
  let stopping = false;
  const ended = endOf(child).then(async (how) => {
    if (guard) await guard[Symbol.asyncDispose]();
    if (!stopping) log(`PostgreSQL ended by itself (${how}): see ${logFile}.`);
    return how;
  });
  const stop = () => {
    stopping = true;
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

async function stopChild(child: ChildProcess, ended: Promise<string>): Promise<void> {
  child.ref();
  for (const [signal, patienceMs] of STOP_SIGNALS) {
    child.kill(signal);
    if (await Promise.race([ended, delay(patienceMs, undefined, { ref: false })])) return;
  }
}

function settingArgs({ durable, hasSocket, settings }: ServerOptions): string[] {
  const all = [
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${hasSocket ? '.' : ''}`,
    'max_connections=200',
    'shared_buffers=64MB',
    'timezone=UTC',
    'log_timezone=UTC',
    ...(durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
    ...settings,
  ];
  return all.flatMap((setting) => ['-c', setting]);
}

/** Undefined once the server answers to our password, which only ours does; else why not. */
async function troubleStarting(
  { port, ended }: Launched,
  password: string,
): Promise<string | undefined> {
  const deadline = Date.now() + READY_WITHIN_MS;
  const connection = { host: '127.0.0.1', port, user: 'postgres', database: 'postgres', password };
  for (;;) {
    const client = new Client({ ...connection, connectionTimeoutMillis: 2_000 });
    const refusal = await client.connect().then(
      () => client.end(),
      (error: Error) => error.message,
    );
    if (!refusal) return undefined;
    const how = await Promise.race([ended, delay(20)]);
    if (how) return how;
    if (Date.now() > deadline) return `no answer within ${READY_WITHIN_MS / 1000} s: ${refusal}`;
  }
}
