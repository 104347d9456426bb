const RETRY_WAITS_MS = [2, 5, 15, 30, 60, 120, 300].map((seconds) => seconds * 1_000);

/** After the `tries`-th try. */
export function nextRetryAt(tries: number, now: Date): Date {
  return new Date(now.getTime() + nthOrLast(RETRY_WAITS_MS, tries));
}

/** Not before the time the provider named; the more often, the later. */
export function nextSnoozeAt(snoozes: number, retryAfterMs: number | null, now: Date): Date {
  const waitMs = nthOrLast(RETRY_WAITS_MS, snoozes + 1);
  return new Date(now.getTime() + Math.max(retryAfterMs ?? 0, waitMs));
}

/** Counted from 1. */
export function nthOrLast(waitsMs: readonly number[], n: number): number {
  return waitsMs[Math.min(Math.max(n, 1), waitsMs.length) - 1]!;
}
