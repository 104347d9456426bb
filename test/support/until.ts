import { setImmediate } from 'node:timers/promises';

/** Longer than anything here takes on a busy machine; what takes longer never comes. */
const PATIENCE_MS = 45_000;

/** Resolves when `look` finds something; looks once per turn of the event loop, and gives up with a word on what did not come. */
export async function until<T>(what: string, look: () => Promise<T | undefined | false | null>): Promise<T> {
  const deadlineMs = performance.now() + PATIENCE_MS;
  while (performance.now() < deadlineMs) {
    const seen = await look();
    if (seen) return seen;
    await setImmediate();
  }
  throw new Error(`Nothing came of: ${what}.`);
}
