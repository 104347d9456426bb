import { setTimeout as pause } from 'node:timers/promises';

export interface Repetition {
  signal: AbortSignal;
  everyMs: number;
  /** After long work it pauses longer. */
  maxBusyShare: number;
  onError: (error: Error) => void;
}

/** Ends when the work under way has ended. An error does not stop it. */
export async function repeat(
  { signal, everyMs, maxBusyShare, onError }: Repetition,
  work: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    const startedMs = performance.now();
    await work().catch(onError);
    const busyMs = performance.now() - startedMs;
    const pauseMs = Math.max(everyMs, busyMs / maxBusyShare - busyMs);
    await pause(pauseMs, undefined, { signal }).catch(() => {});
  }
}
