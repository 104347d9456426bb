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
  tail(): Promise<string>;
  ended: Promise<string>;
}

export interface Server extends Child {
  url: string;
}

export interface ChildOptions {
  name: string;
  command: string;
  args: string[];
  env: Record<string, string>;
  /** What it prints is written there like a log in production. */
  logFile: string;
}

export interface Program {
  name: string;
  main: string;
  args?: string[];
  nodeArgs?: string[];
  env: Record<string, string>;
  dir: string;
}

export type ProcessScope = Pick<BenchRun, 'scope' | 'programs'>;

const READY_WITHIN_MS = 60_000;
/** Longer than the service takes to close its connections. */
const STOPS_WITHIN_MS = 12_000;

export function startProgram(
  run: ProcessScope,
  { name, main, args = [], nodeArgs = [], env, dir }: Program,
): Promise<Child> {
  return startReady(run, {
    ...{ name, env, command: process.execPath, logFile: join(dir, `${name}.log`) },
    args: [...nodeArgs, rootFile(main), ...args],
  });
}

/** Starts a program that serves `PORT`, and waits until `readyPath` is answered 200. */
export async function startServer(
  run: ProcessScope,
  { readyPath, ...program }: Program & { readyPath: string },
): Promise<Server> {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const child = await startProgram(run, { ...program, env: { ...program.env, PORT: port } });
  await untilReady(child, () => expectOk(`${url}${readyPath}`));
  return { ...child, url };
}

/** Starts a process that ends with the run, and waits until `check` no longer throws. */
export async function startReady(
  { scope, programs }: ProcessScope,
  options: ChildOptions,
  check: () => Promise<unknown> = async () => {},
): Promise<Child> {
  const child = scope.use(await startChild(options));
  programs.push(child);
  await untilReady(child, check);
  return child;
}

/** Starts a process in a group of its own, so that Ctrl-C reaches only us, who stop it. */
export async function startChild(options: ChildOptions): Promise<Child> {
  const { name, command, args, env, logFile } = options;
  await using log = await open(logFile, 'a', 0o600);
  // NODE_OPTIONS too, so that a process can be profiled (`--cpu-prof`).
  const { PATH, NODE_OPTIONS = '' } = process.env;
  const child = spawn(command, args, {
    env: { PATH, NODE_OPTIONS, ...env },
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

async function stop(child: ChildProcess, ended: Promise<string>): Promise<void> {
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), STOPS_WITHIN_MS);
  await ended;
  clearTimeout(late);
}

/** Waits until `check` no longer throws. A process that ended, or takes too long, is a failure. */
export async function untilReady(
  { name, tail, ended }: Pick<Child, 'name' | 'tail'> & Partial<Child>,
  check: () => Promise<unknown>,
): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  for (;;) {
    const trouble = await check().then(
      () => undefined,
      (error: Error) => error.message,
    );
    if (trouble === undefined) return;
    const end = await Promise.race([pause(50), ...(ended ? [ended] : [])]);
    if (end === undefined && Date.now() < deadline) continue;
    throw new BenchFailure(
      `The ${name} did not start (${end ?? trouble}). It printed last:\n${await tail()}`,
    );
  }
}

export async function expectOk(url: string): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
  const text = await response.text();
  if (!response.ok) throw new BenchFailure(`${response.status} ${text.slice(0, 500)}`);
}

/** The file of a path from the root of the repository. */
export function rootFile(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}
