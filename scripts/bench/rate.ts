import { setTimeout as pause } from 'node:timers/promises';

export interface Rate {
  perSecond: number;
  /** It ends after so many, or when `until` aborts. */
  count?: number;
  until?: AbortSignal;
  stopped: AbortSignal;
}

/** Begins something at a steady rate, whatever becomes of it; nobody waits for what it began. */
export async function keepRate<T>(
  { perSecond, count = Number.POSITIVE_INFINITY, until, stopped }: Rate,
  begin: (number: number, dueMs: number) => Promise<T>,
): Promise<{ begun: Promise<T>[] }> {
  const startMs = performance.now();
  const begun: Promise<T>[] = [];
  while (begun.length < count && !until?.aborted) {
    stopped.throwIfAborted();
    const dueMs = startMs + (begun.length * 1_000) / perSecond;
    const aheadMs = dueMs - performance.now();
    if (aheadMs > 0) await pause(aheadMs);
    const one = begin(begun.length, dueMs);
    one.catch(() => {}); // it is seen by who waits for it
    begun.push(one);
  }
  return { begun };
}

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
