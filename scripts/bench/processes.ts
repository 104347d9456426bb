import { type ChildProcess, spawn } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runAfterDeath } from '../local/after-death.ts';
import { freePort } from '../local/free-port.ts';
import { BenchFailure, type BenchRun } from './bench.ts';

/** A process of the bench's own, stopped with its scope, or when the bench is killed. */
export interface Child extends AsyncDisposable {
  name: string;
  pid: number;
  /** What it printed last. */
  tail(): Promise<string>;
  /** How it ended, once it has. */
  ended: Promise<string>;
}

/** An HTTP server in a process of its own. */
export interface Server extends Child {
  url: string;
}

export interface ChildOptions {
  name: string;
  command: string;
  args: string[];
  env: Record<string, string>;
  /**
   * What it prints goes there: written like a log in production, and read when something is wrong.
   */
  logFile: string;
}

/** A main module of the repository, run by Node. */
export interface Program {
  name: string;
  /** Its path from the root of the repository. */
  main: string;
  args?: string[];
  nodeArgs?: string[];
  env: Record<string, string>;
  /** The folder of its log. */
  dir: string;
}

const READY_WITHIN_MS = 60_000;
/** Longer than the service takes to close its connections. */
const STOPS_WITHIN_MS = 12_000;

/** Starts a program, which ends with the run. */
export async function startProgram(
  { scope, programs }: Pick<BenchRun, 'scope' | 'programs'>,
  { name, main, args = [], nodeArgs = [], env, dir }: Program,
): Promise<Child> {
  const options = {
    ...{ name, env, command: process.execPath, logFile: join(dir, `${name}.log`) },
    args: [...nodeArgs, rootFile(main), ...args],
  };
  const child = scope.use(await startChild(options));
  programs.push(child);
  return child;
}

/**
 * Starts a program that serves the port it finds in PORT, and waits until `readyPath` is answered
 * 200.
 */
export async function startServer(
  run: Pick<BenchRun, 'scope' | 'programs'>,
  { readyPath, ...program }: Program & { readyPath: string },
): Promise<Server> {
  const port = String(await freePort());
  const child = await startProgram(run, { ...program, env: { ...program.env, PORT: port } });
  const url = `http://127.0.0.1:${port}`;
  await untilReady(child, () => expectOk(`${url}${readyPath}`));
  return { ...child, url };
}

/**
 * Starts a process in a group of its own, so that Ctrl-C reaches only us, who stop it. Throws what
 * `spawn` says when it cannot start.
 */
export async function startChild(options: ChildOptions): Promise<Child> {
  const { name, command, args, env, logFile } = options;
  await using log = await open(logFile, 'a', 0o600);
  const child = spawn(command, args, {
    env: { ...inherited(), ...env },
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  const ended = new Promise<string>((resolve) =>
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`)),
  );
  await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject));
  const guard = runAfterDeath('kill -INT "$1"', [String(child.pid)]);
  return {
    name,
    pid: child.pid!,
    ended,
    tail: async () => (await readFile(logFile, 'utf8')).trim().split('\n').slice(-12).join('\n'),
    async [Symbol.asyncDispose]() {
      await stop(child, ended);
      await guard[Symbol.asyncDispose]();
    },
  };
}

/** NODE_OPTIONS too, so that what is measured can be profiled (`--cpu-prof`). */
function inherited(): Record<string, string | undefined> {
  const { PATH, NODE_OPTIONS = '' } = process.env;
  return { PATH, NODE_OPTIONS };
}

async function stop(child: ChildProcess, ended: Promise<string>): Promise<void> {
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), STOPS_WITHIN_MS);
  await ended;
  clearTimeout(late);
}

/**
 * Waits until `answers` no longer throws; says what the process printed when that does not come.
 */
export async function untilReady(child: Child, answers: () => Promise<unknown>): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  for (;;) {
    const trouble = await answers().then(
      () => undefined,
      (error: Error) => error.message,
    );
    if (trouble === undefined) return;
    const end = await Promise.race([child.ended, pause(50)]);
    if (end === undefined && Date.now() < deadline) continue;
    throw new BenchFailure(
      `The ${child.name} did not start (${end ?? trouble}). It printed last:\n${await child.tail()}`,
    );
  }
}

/** Throws while a server does not answer 200. */
export async function expectOk(url: string): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
  const text = await response.text();
  if (!response.ok) throw new BenchFailure(`${response.status} ${text.slice(0, 500)}`);
}

/** The file of a path from the root of the repository. */
export function rootFile(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}
