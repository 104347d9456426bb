import { HOUR_MS } from '../../shared/units.ts';

/** In a row, five minutes apart: a provider that is away for a moment is none. */
export const MOST_FAILED_READS = 3;

/** Before the wait doubles. */
const HOURLY = 3;
const LONGEST_WAIT_HOURS = 24;

/** After an hour, then 2, 4, 8 and 16, then every day. */
export function readAgainAt(now: Date, failedReads: number): Date {
  const hours = Math.min(LONGEST_WAIT_HOURS, 2 ** Math.max(0, failedReads - HOURLY));
  return new Date(now.getTime() + hours * HOUR_MS);
}
