import { setTimeout as pause } from 'node:timers/promises';

/** Looks until there is something to see. Undefined: there was not in time, or before the end. */
export async function until<T>(
  { everyMs, withinMs, ended }: { everyMs: number; withinMs?: number; ended?: AbortSignal },
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const deadline = performance.now() + (withinMs ?? Number.POSITIVE_INFINITY);
  while (!ended?.aborted) {
    const seen = await look();
    if (seen !== undefined || performance.now() > deadline) return seen;
    await pause(everyMs);
  }
  return undefined;
}
