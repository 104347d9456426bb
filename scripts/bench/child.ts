import { type ChildProcess, spawn } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { runAfterDeath } from '../local/after-death.ts';
import { BenchFailure } from './bench.ts';

/** A process of the bench's own, stopped with its scope, or when the bench is killed. */
export interface Child extends AsyncDisposable {
  name: string;
  pid: number;
  /** What it printed last. */
  tail(): Promise<string>;
  /** How it ended, once it has. */
  ended: Promise<string>;
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

const READY_WITHIN_MS = 15_000;
/** Longer than the service takes to close its connections. */
const STOPS_WITHIN_MS = 12_000;

/**
 * Starts a process in a group of its own, so that Ctrl-C reaches only us, who stop it. Throws what
 * `spawn` says when it cannot start.
 */
export async function startChild({
  name,
  command,
  args,
  env,
  logFile,
}: ChildOptions): Promise<Child> {
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
