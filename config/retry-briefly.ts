import { setTimeout as pause } from 'node:timers/promises';

/** Shorter than any lease: whoever claims the row next must not find this one still writing. */
const RETRY_FOR_MS = 8_000;
const BETWEEN_MS = 250;

/**
 * Repeats `work` until it succeeds: a database that is away for a moment is asked again. After 8 s
 * it throws the last error.
 */
export async function retryBriefly<T>(work: () => Promise<T>): Promise<T> {
  const giveUpMs = performance.now() + RETRY_FOR_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > giveUpMs) throw error;
      await pause(BETWEEN_MS);
    }
  }
}
