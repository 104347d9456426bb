import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../shared/units.ts';

/** After acceptance: most complete in seconds, those to cards take days. */
const FIRST_CHECKS_MS = [2 * SECOND_MS, 5 * SECOND_MS, 15 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS];
const GAP_MS = HOUR_MS;
/** After a day. */
const LATE_GAP_MS = 6 * HOUR_MS;
/** The slowest provider promises 15 business days. */
const LAST_CHECK_MS = 20 * DAY_MS;

/** After sending: the provider may show it late. Then a person has to look. */
const LOOKUPS_MS = [5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS];

/** Null: it has taken too long. */
export function nextRefundCheckAt(since: Date, now: Date): Date | null {
  const sinceMs = since.getTime();
  const passedMs = now.getTime() - sinceMs;
  if (passedMs >= LAST_CHECK_MS) return null;
  const first = FIRST_CHECKS_MS.find((offset) => offset > passedMs);
  if (first !== undefined) return new Date(sinceMs + first);
  const gapMs = passedMs < DAY_MS ? GAP_MS : LATE_GAP_MS;
  return new Date(sinceMs + Math.min((Math.floor(passedMs / gapMs) + 1) * gapMs, LAST_CHECK_MS));
}

const AGAIN_MS = 5 * SECOND_MS;

/**
 * After growing waits, no later than the next check: an error must not cost hours. Null: too long.
 */
export function nextRefundCheckAfterSilence(since: Date, now: Date): Date | null {
  const next = nextRefundCheckAt(since, now);
  if (!next) return null;
  const passedMs = now.getTime() - since.getTime();
  const lastMs = lastCheckMs(passedMs);
  const waitMs = Math.max(AGAIN_MS, passedMs - lastMs, lastMs / 30);
  return new Date(Math.min(now.getTime() + waitMs, next.getTime()));
}

function lastCheckMs(passedMs: number): number {
  const gapMs = passedMs < DAY_MS ? GAP_MS : LATE_GAP_MS;
  const first = FIRST_CHECKS_MS.findLast((offset) => offset <= passedMs) ?? 0;
  return Math.max(first, Math.floor(passedMs / gapMs) * gapMs);
}

/** Null: all lookups have been made. */
export function nextLookupAt(sentAt: Date, now: Date): Date | null {
  const offset = LOOKUPS_MS.find((lookup) => sentAt.getTime() + lookup > now.getTime());
  return offset === undefined ? null : new Date(sentAt.getTime() + offset);
}

/** After this the merchant decides anew. */
const SENDABLE_MS = 7 * DAY_MS;

export function isPastSending(approvedAt: Date, now: Date): boolean {
  return now.getTime() - approvedAt.getTime() >= SENDABLE_MS;
}
