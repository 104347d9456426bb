import { HOUR_MS } from '../../shared/units.ts';

/**
 * A settlement counts as unreadable when its provider failed to answer this often in a row: rounds
 * are five minutes apart while one fails, so a provider that is away for a moment is none.
 */
export const MOST_FAILED_READS = 3;

/** Reads an hour apart before the wait doubles. */
const HOURLY = 3;
const LONGEST_WAIT_HOURS = 24;

/**
 * When a settlement that could not be read is read again, by how often that failed: in an hour at
 * first, then after 2, 4, 8 and 16 hours, then every day.
 */
export function readAgainAt(now: Date, failedReads: number): Date {
  const hours = Math.min(LONGEST_WAIT_HOURS, 2 ** Math.max(0, failedReads - HOURLY));
  return new Date(now.getTime() + hours * HOUR_MS);
}
