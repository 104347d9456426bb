import { setTimeout } from 'node:timers/promises';
import { isDatabaseAway } from '../../config/database/database-away.ts';

/** How long the rows of connections are waited for, beyond a statement's own time-out. */
export interface Patience {
  eachMs: number;
  /** For all of them together: a database that is away is not waited for at every connection. */
  leftMs: number;
}

/** Locks of the service last for moments; somebody's session or a migration may hold one longer. */
export const patient = (): Patience => ({ eachMs: 2 * 60_000, leftMs: 10 * 60_000 });

const BETWEEN_MS = 1_000;

/** Does `work`, which may be repeated, until the database takes it or the patience ends. */
export async function untilTaken<T>(
  patience: Patience,
  stopped: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const mayMs = Math.min(patience.eachMs, patience.leftMs);
  const startedMs = performance.now();
  let waitedMs = 0;
  try {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        waitedMs = performance.now() - startedMs;
        if (waitedMs >= mayMs || stopped.aborted || !isDatabaseAway(error)) throw error;
        await setTimeout(BETWEEN_MS, undefined, { signal: stopped }).catch(() => {});
      }
    }
  } finally {
    patience.leftMs = Math.max(0, patience.leftMs - waitedMs);
  }
}

/** Why something was not done, in a sentence without its end: never a stack. */
export function reasonOf(error: unknown): string {
  const message = `${(error as Error)?.message ?? error}`.replaceAll(/\s+/g, ' ').trim();
  return isDatabaseAway(error)
    ? `the database did not take it in time: ${message}`
    : `an error of this service: ${message}`;
}
