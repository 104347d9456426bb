import { HOUR_MS, MINUTE_MS } from '../../shared/units.ts';

/**
 * The retry schedule: the waits after the first, second, … failed try, counted from its end. The
 * API reference is made of it.
 */
export const retryWaitsMs: readonly number[] = [
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
];

/** No try is made later than this after the first one. */
export const giveUpAfterMs = 24 * HOUR_MS;

/** Up to this share is added to a wait, so that many failed deliveries are not retried at once. */
const JITTER = 0.1;

export interface FailedTry {
  /** Tries made so far, this one included. */
  tries: number;
  endedAt: Date;
  /** When the first of them was made. */
  firstAt: Date;
  /** What the receiver asked for on 429 or 503, in ms. */
  retryAfterMs: number | null;
}

/** When a delivery is tried again, or null when it is given up. `random` is in [0, 1). */
export function nextTryAt(
  { tries, endedAt, firstAt, retryAfterMs }: FailedTry,
  random: number,
): Date | null {
  const waitMs = retryWaitsMs[tries - 1];
  if (waitMs === undefined) return null;
  // `Retry-After` lengthens a wait by one step at most.
  const longestMs = retryWaitsMs[tries] ?? waitMs;
  const chosenMs = Math.min(Math.max(waitMs, retryAfterMs ?? 0), longestMs) * (1 + JITTER * random);
  const next = new Date(endedAt.getTime() + Math.round(chosenMs));
  return next.getTime() <= firstAt.getTime() + giveUpAfterMs ? next : null;
}
