import { HOUR_MS, MINUTE_MS } from '../../shared/units.ts';

/** After each failed try, from its end. The API reference is made of it. */
export const retryWaitsMs: readonly number[] = [
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
];

/** After the first try. */
export const giveUpAfterMs = 24 * HOUR_MS;

/** At most, so that many are not retried at once. */
const JITTER = 0.1;

export interface FailedTry {
  tries: number;
  endedAt: Date;
  firstAt: Date;
  /** On 429 or 503. */
  retryAfterMs: number | null;
}

/** Null: given up. `random` is in [0, 1). */
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
