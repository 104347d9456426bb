import { SetupError } from './setup-error.ts';

/**
 * What is still open this long after the signal hangs on something that does not answer. What it
 * held is brought back by its lease.
 */
const STOP_WITHIN_MS = 30_000;

/**
 * Runs a process until it is told to stop: SIGINT or SIGTERM abort the signal, and `work` falls out
 * of its scopes. It never hangs.
 */
export async function runUntilStopped(
  work: (stopped: AbortSignal) => Promise<void>,
): Promise<void> {
  const controller = new AbortController();
  const stop = () => {
    controller.abort();
    setTimeout(giveUp, STOP_WITHIN_MS).unref();
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    await work(controller.signal);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

/** Resolves when the signal is aborted. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) =>
    signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true }),
  );
}

function giveUp(): void {
  process.stderr.write(
    `Something did not close within ${STOP_WITHIN_MS / 1000} s; what was in flight is taken up again later.\n`,
  );
  process.exit(1);
}

const databaseTroubles: Record<string, string> = {
  ECONNREFUSED: 'nobody answers at its address',
  ENOTFOUND: 'its host is not known',
  ETIMEDOUT: 'it does not answer',
  '28P01': 'the password is wrong',
  '28000': 'the user may not log in',
  '3D000': 'there is no such database',
};

/** One sentence for what a person can mend, the whole stack for what they cannot. */
export function explain(error: unknown): string {
  if (error instanceof SetupError) return error.message;
  const trouble = databaseTroubles[(error as { code?: string }).code ?? ''];
  if (trouble)
    return `The database cannot be used: ${trouble}. Check DATABASE_URL, or start the local stack (npm start).`;
  return (error as Error).stack ?? String(error);
}
