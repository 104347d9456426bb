import { SetupError } from './setup-error.ts';

/** A process that hangs then ends; rows it had claimed are due when their leases end. */
const STOP_WITHIN_MS = 30_000;

/**
 * Runs `work` until SIGINT or SIGTERM abort its signal. Never hangs. A second signal changes
 * nothing: npm forwards the Ctrl-C that every process got.
 */
export async function runUntilStopped(
  work: (stopped: AbortSignal) => Promise<void>,
  withinMs = STOP_WITHIN_MS,
): Promise<void> {
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) return;
    controller.abort();
    setTimeout(giveUp, withinMs, withinMs).unref();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  try {
    await work(controller.signal);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) =>
    signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true }),
  );
}

/** `process.exit` would call listeners and wait for threads, of which one may hang. */
function giveUp(withinMs: number): never {
  process.stderr.write(
    `The process did not stop within ${withinMs / 1000} s and is ended now; ` +
      'jobs in flight are retried later.\n',
  );
  process.kill(process.pid, 'SIGKILL');
  // Process 1 of a container gets no signal that it sends to itself.
  process.abort();
}

const databaseTroubles: Record<string, string> = {
  ECONNREFUSED: 'nobody answers at its address',
  ENOTFOUND: 'its host is not known',
  ETIMEDOUT: 'it does not answer',
  '28P01': 'the password is wrong',
  '28000': 'the user may not log in',
  '3D000': 'there is no such database',
  '53300': 'it takes no more connections',
  '57P03': 'it is starting or shutting down',
};

/** The pool says this without a code. */
const POOL_TIMEOUT = /connection timeout|timeout exceeded when trying to connect/;

/** One sentence for what a person can correct, the stack for everything else. */
export function explain(error: unknown): string {
  if (error instanceof SetupError) return error.message;
  const { code = '', message = '' } = error as { code?: string; message?: string };
  const trouble = databaseTroubles[POOL_TIMEOUT.test(message) ? 'ETIMEDOUT' : code];
  if (trouble)
    return `The database cannot be used: ${trouble}. Check DATABASE_URL, or start the local stack (npm start).`;
  return (error as Error).stack ?? String(error);
}
