import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../shared/units.ts';

/**
 * When a refund is checked after the provider accepted it: most complete in seconds, those to cards
 * take days.
 */
const FIRST_CHECKS_MS = [2 * SECOND_MS, 5 * SECOND_MS, 15 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS];
const GAP_MS = HOUR_MS;
/** The gap once a day has passed. */
const LATE_GAP_MS = 6 * HOUR_MS;
/** The slowest provider promises 15 business days. A refund that takes longer needs a person. */
const LAST_CHECK_MS = 20 * DAY_MS;

/**
 * When the provider is asked for a refund that it may have taken, counted from its sending: it may
 * show it late. After these a person has to look.
 */
const LOOKUPS_MS = [5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS];

/**
 * The next check after `now` of a refund accepted at `since`; null: it has taken too long, and is
 * not checked any more.
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

/** A check that got no answer is made again at the earliest after this. */
const AGAIN_MS = 5 * SECOND_MS;

/**
 * When a refund is checked again after a check at `now` got no answer: after growing waits, and no
 * later than the next check or lookup. An error of the provider must not cost hours. Null: it has
 * taken too long, and is not checked any more.
 */
export function nextRefundCheckAfterSilence(since: Date, now: Date): Date | null {
  const next = nextRefundCheckAt(since, now);
  if (!next) return null;
  const passedMs = now.getTime() - since.getTime();
  const lastMs = lastCheckMs(passedMs);
  const waitMs = Math.max(AGAIN_MS, passedMs - lastMs, lastMs / 30);
  return new Date(Math.min(now.getTime() + waitMs, next.getTime()));
}

/** When the last check before was due, counted as they are. */
function lastCheckMs(passedMs: number): number {
  const gapMs = passedMs < DAY_MS ? GAP_MS : LATE_GAP_MS;
  const first = FIRST_CHECKS_MS.findLast((offset) => offset <= passedMs) ?? 0;
  return Math.max(first, Math.floor(passedMs / gapMs) * gapMs);
}

/**
 * The next lookup after `now` of a refund that was sent at `sentAt` and whose outcome is not known;
 * null: all lookups have been made.
 */
export function nextLookupAt(sentAt: Date, now: Date): Date | null {
  const offset = LOOKUPS_MS.find((lookup) => sentAt.getTime() + lookup > now.getTime());
  return offset === undefined ? null : new Date(sentAt.getTime() + offset);
}

/** An approved refund that could not be sent for this long fails, and the merchant decides anew. */
const SENDABLE_MS = 7 * DAY_MS;

/** True when a refund approved at `approvedAt` could not be sent for too long. */
export function isPastSending(approvedAt: Date, now: Date): boolean {
  return now.getTime() - approvedAt.getTime() >= SENDABLE_MS;
}
