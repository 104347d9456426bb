import { setTimeout as pause } from 'node:timers/promises';

/** How often something is to begin. */
export interface Rate {
  perSecond: number;
  /** It ends after so many, or when `until` aborts. */
  count?: number;
  until?: AbortSignal;
  /** Aborted: it throws. */
  stopped: AbortSignal;
}

/**
 * Begins something at a steady rate, whatever becomes of what it began, each at its time or as soon
 * after it as this process gets to it. Returns what began; nobody has to wait for it yet.
 */
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
