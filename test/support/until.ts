import { setTimeout as pause, setImmediate } from 'node:timers/promises';

/** Longer than anything here takes on a busy machine; what takes longer never comes. */
const PATIENCE_MS = 45_000;
/** What has not come after so many looks is another process's or the database's to bring: they need the machine more than a look does. */
const QUICK_LOOKS = 3;
const BETWEEN_LOOKS_MS = 2;
/** Between looks for what takes a process its start, or more. */
export const RARELY_MS = 20;

/** Resolves when `look` finds something; looks without a pause at first, and gives up with a word on what did not come. */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false | null>,
  betweenLooksMs = BETWEEN_LOOKS_MS,
): Promise<T> {
  const deadlineMs = performance.now() + PATIENCE_MS;
  for (let looks = 1; performance.now() < deadlineMs; looks++) {
    const seen = await look();
    if (seen) return seen;
    await (looks < QUICK_LOOKS ? setImmediate() : pause(betweenLooksMs));
  }
  throw new Error(`Nothing came of: ${what}.`);
}
