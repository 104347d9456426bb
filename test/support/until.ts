import { setTimeout as pause, setImmediate } from 'node:timers/promises';

/** Longer than anything here takes on a busy machine. */
const GIVE_UP_AFTER_MS = 45_000;
/**
 * After so many looks, another process or the database needs the CPU more than the next look does.
 */
const QUICK_LOOKS = 3;
const BETWEEN_LOOKS_MS = 2;
/** Between looks for something that takes at least the start of a process. */
export const RARELY_MS = 20;

/**
 * Resolves when `look` finds something; looks without a pause at first, and throws when nothing
 * comes.
 */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false | null>,
  betweenLooksMs = BETWEEN_LOOKS_MS,
): Promise<T> {
  const deadlineMs = performance.now() + GIVE_UP_AFTER_MS;
  for (let looks = 1; performance.now() < deadlineMs; looks++) {
    const seen = await look();
    if (seen) return seen;
    await (looks < QUICK_LOOKS ? setImmediate() : pause(betweenLooksMs));
  }
  throw new Error(`This did not come: ${what}.`);
}
