import { setTimeout as pause } from 'node:timers/promises';

export interface Repetition {
  /** Aborted: it ends when the work that is under way has ended. */
  signal: AbortSignal;
  everyMs: number;
  /** It works for at most this share of the time: after long work it pauses longer. */
  maxBusyShare: number;
  onError: (error: Error) => void;
}

/** Works again and again until it is aborted. An error does not stop it. */
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
