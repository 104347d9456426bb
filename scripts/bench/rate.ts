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
