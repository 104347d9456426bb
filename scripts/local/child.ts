import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { runAfterDeath } from './after-death.ts';

/** The signals that end a process, and how long it is given after each, in ms. */
export type Stops = readonly (readonly [NodeJS.Signals, number])[];

export interface ChildOptions {
  /** What it prints is written there like a log in production. */
  logFile: string;
  stops: Stops;
  options: { env: NodeJS.ProcessEnv; cwd?: string; uid?: number; gid?: number };
}

/**
 * Starts a process that ends with its scope, or when this process is killed, in a group of its own:
 * Ctrl-C reaches only us, who stop it. Throws what `spawn` says when it cannot start.
 */
export async function startChild(
  command: string,
  args: readonly string[],
  { logFile, stops, options }: ChildOptions,
) {
  await using log = await open(logFile, 'a', 0o600);
  const stdio = ['ignore' as const, log.fd, log.fd];
  const child = spawn(command, args, { ...options, detached: true, stdio });
  const ended = new Promise<string>((resolve) =>
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`)),
  );
  await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject));
  const guard = runAfterDeath('kill -INT "$1"', [String(child.pid)], options);
  void ended.then(() => guard[Symbol.asyncDispose]());
  return {
    pid: child.pid!,
    ended,
    /** Whoever forgets to stop it can still end; then the guard stops it. */
    unref: () => child.unref(),
    async [Symbol.asyncDispose]() {
      child.ref();
      for (const [signal, patienceMs] of stops) {
        child.kill(signal);
        if (await Promise.race([ended, delay(patienceMs, undefined, { ref: false })])) return;
      }
    },
  };
}

/** Signals a process that may just have ended. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has.
  }
}

/** Undefined once `check` no longer throws; else how the process ended, or what takes too long. */
export async function troubleStarting(
  check: () => Promise<unknown>,
  withinMs: number,
  ended: Promise<string> = new Promise(() => {}),
  everyMs = 20,
): Promise<string | undefined> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const trouble = await check().then(
      () => undefined,
      (error: Error) => error.message || String(error),
    );
    if (trouble === undefined) return undefined;
    const how = await Promise.race([ended, delay(everyMs)]);
    if (how !== undefined) return how;
    if (Date.now() > deadline) return `no answer within ${withinMs / 1000} s: ${trouble}`;
  }
}
