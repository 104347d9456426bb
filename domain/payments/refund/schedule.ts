const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * Checks of a refund on its way, counted from its acceptance: most are done in seconds, those of
 * cards take days.
 */
const FIRST_CHECKS_MS = [2 * SECOND_MS, 5 * SECOND_MS, 15 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS];
const GAP_MS = HOUR_MS;
/** After a day. */
const LATE_GAP_MS = 6 * HOUR_MS;
/** The slowest provider speaks of 15 business days. What takes longer needs a person. */
const LAST_CHECK_MS = 20 * DAY_MS;

/**
 * When a refund that may have been taken is looked for, from its sending: a provider may show it
 * late. Then a person has to look.
 */
const LOOKS_MS = [5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS];

/**
 * When a refund on its way since `since` is asked about after `now`; null: it has taken too long
 * for that.
 */
export function nextRefundCheckAt(since: Date, now: Date): Date | null {
  const sinceMs = since.getTime();
  const passedMs = now.getTime() - sinceMs;
  if (passedMs >= LAST_CHECK_MS) return null;
  const first = FIRST_CHECKS_MS.find((offset) => offset > passedMs);
  if (first !== undefined) return new Date(sinceMs + first);
  const gapMs = passedMs < DAY_MS ? GAP_MS : LATE_GAP_MS;
  return new Date(sinceMs + Math.min((Math.floor(passedMs / gapMs) + 1) * gapMs, LAST_CHECK_MS));
}

/**
 * When a refund that was sent at `sentAt`, to no known end, is looked for after `now`; null: it was
 * looked for often enough.
 */
export function nextLookAt(sentAt: Date, now: Date): Date | null {
  const offset = LOOKS_MS.find((look) => sentAt.getTime() + look > now.getTime());
  return offset === undefined ? null : new Date(sentAt.getTime() + offset);
}

/** An approved refund that could not be sent for this long fails, and the merchant decides anew. */
const SENDABLE_MS = 7 * DAY_MS;

/** True when a refund that may be sent since `approvedAt` could not be for too long. */
export function isPastSending(approvedAt: Date, now: Date): boolean {
  return now.getTime() - approvedAt.getTime() >= SENDABLE_MS;
}
