/** Waits between tries: the n-th follows the n-th try, the last one follows every later try. */
const RETRY_WAITS_MS = [2, 5, 15, 30, 60, 120, 300].map((seconds) => seconds * 1_000);

/** When a job that failed is retried after its `tries`-th try. */
export function nextRetryAt(tries: number, now: Date): Date {
  return new Date(now.getTime() + nthOrLast(RETRY_WAITS_MS, tries));
}

/**
 * When a job is due again that could not call its provider now, or was asked to call later: not
 * before the time the provider named, and later the more often that happened.
 */
export function nextSnoozeAt(snoozes: number, retryAfterMs: number | null, now: Date): Date {
  const waitMs = nthOrLast(RETRY_WAITS_MS, snoozes + 1);
  return new Date(now.getTime() + Math.max(retryAfterMs ?? 0, waitMs));
}

/** The n-th of these waits, counted from 1; the last for any later one. */
export function nthOrLast(waitsMs: readonly number[], n: number): number {
  return waitsMs[Math.min(Math.max(n, 1), waitsMs.length) - 1]!;
}
