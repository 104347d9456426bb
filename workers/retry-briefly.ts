import { setTimeout as pause } from 'node:timers/promises';

/** Shorter than any lease, so that two jobs never write one row at once. */
const RETRY_FOR_MS = 8_000;
const BETWEEN_MS = 250;

/** Repeats `work` through a short outage of the database. Throws the last error after 8 s. */
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
