import { setTimeout as pause } from 'node:timers/promises';

export interface Patience {
  everyMs: number;
  /** Each wait is twice the one before, up to this. Absent: they are all the same. */
  atMostMs?: number;
  withinMs?: number;
  ended?: AbortSignal;
}

/** Looks until there is something to see. Undefined: there was not in time, or before the end. */
export async function until<T>(
  { everyMs, atMostMs = everyMs, withinMs, ended }: Patience,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const deadline = performance.now() + (withinMs ?? Number.POSITIVE_INFINITY);
  for (let waitMs = everyMs; !ended?.aborted; waitMs = Math.min(waitMs * 2, atMostMs)) {
    const seen = await look();
    if (seen !== undefined || performance.now() > deadline) return seen;
    await pause(waitMs);
  }
  return undefined;
}
