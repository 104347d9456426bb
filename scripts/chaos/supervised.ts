import { readFile, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { type Child, type ChildOptions, startChild, untilReady } from '../bench/processes.ts';
import { signalProcess } from '../local/child.ts';

export type Supervised = Awaited<ReturnType<typeof supervise>>;

export type Changes = { env?: Record<string, string>; args?: string[] };

export interface SupervisedOptions extends ChildOptions {
  check?: () => Promise<unknown>;
  /** It has started when it has logged this; until then it may end because its stores are away. */
  startedLine?: string;
  /** Until the first restart. */
  changes?: Changes;
}

/** The wait of a service manager. */
const RESTART_AFTER_MS = 500;
/** Longer than the service may take to stop. */
const STOPS_WITHIN_MS = 40_000;

/** Runs a process that is started again whenever it ends, as a service manager does. */
export async function supervise(options: SupervisedOptions) {
  const { name, logFile, startedLine = '', check } = options;
  let changed = options.changes ?? {};
  let logStart = 0;
  const startOnce = async () => {
    logStart = (await stat(logFile).catch(() => ({ size: 0 }))).size;
    const { args = options.args, env = {} } = changed;
    return startChild({ ...options, args, env: { ...options.env, ...env } });
  };
  const hasStarted = async () => (await readFile(logFile)).includes(startedLine, logStart);
  let child = await startOnce();
  let isClosing = false;
  let isSignalled = false;
  const unexpectedEnds: string[] = [];

  async function keepRunning(): Promise<void> {
    for (;;) {
      const how = await child.ended;
      await child[Symbol.asyncDispose]();
      if (isClosing) return;
      if (!isSignalled && (await hasStarted()))
        unexpectedEnds.push(`${name}: ${how}\n${await child.tail()}`);
      isSignalled = false;
      await pause(RESTART_AFTER_MS);
      if (isClosing) return;
      child = await startOnce();
    }
  }
  const running = keepRunning();

  const signal = (sent: NodeJS.Signals) => {
    isSignalled = sent !== 'SIGSTOP' && sent !== 'SIGCONT';
    signalProcess(child.pid, sent);
  };
  async function endWithin(current: Child): Promise<void> {
    signal('SIGTERM');
    const late = setTimeout(() => {
      unexpectedEnds.push(`${name}: did not end ${STOPS_WITHIN_MS} ms after SIGTERM`);
      signal('SIGKILL');
    }, STOPS_WITHIN_MS);
    await current.ended;
    clearTimeout(late);
  }
  const isReady = () =>
    untilReady({ name, tail: () => child.tail() }, async () => {
      await check?.();
      if (!(await hasStarted())) throw new Error('it has not started yet');
    });
  return {
    signal,
    /** How it ended without a signal of ours, each time, once it had started. */
    unexpectedEnds,
    untilReady: isReady,
    /** Resolves when it runs again with these changes, until the next restart. */
    async restart(changes: Changes = {}) {
      changed = changes;
      const current = child;
      await endWithin(current);
      while (child === current) await pause(50);
      await isReady();
    },
    async [Symbol.asyncDispose]() {
      isClosing = true;
      await child[Symbol.asyncDispose]();
      await running;
    },
  };
}
