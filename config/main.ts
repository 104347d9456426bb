import { ConfigurationError } from './env.ts';

/** Runs a process until it is told to stop: SIGINT or SIGTERM abort the signal, and `work` falls out of its scopes. */
export async function runUntilStopped(work: (stopped: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController();
  const stop = () => controller.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    await work(controller.signal);
  } catch (error) {
    explain(error);
    process.exitCode = 1;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

/** Resolves when the signal is aborted. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true })));
}

/** One sentence for what a person can mend, the whole stack for what they cannot. */
function explain(error: unknown): void {
  const isForPeople = error instanceof ConfigurationError || (error as Error).name === 'SetupError';
  process.stderr.write(`${isForPeople ? (error as Error).message : ((error as Error).stack ?? String(error))}\n`);
}
