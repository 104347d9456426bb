import { nthOrLast } from '../../shared/retry.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Gaps between the first checks after acceptance: short while the payer is probably at the page.
 */
const GAPS_MS = [5, 10, 20, 40, 80, 160, 300, 600].map((seconds) => seconds * SECOND_MS);
const WHILE_LINK_IS_OPEN_MS = 15 * MINUTE_MS;
const AFTER_LINK_ENDED_MS = HOUR_MS;

/**
 * Checks after a charge failed, counted from the failure: money may still come by a slow transfer.
 */
const AFTER_FAILURE_MS = [1, 6, 24, 72].map((hours) => hours * HOUR_MS);

/** What the checking schedule depends on. Times UTC. */
export interface Watched {
  /** When the provider accepted the attempt, or else when it was sent. */
  since: Date;
  /** Null: the provider's link has no end of its own. */
  linkExpiresAt: Date | null;
  chargeExpiresAt: Date;
  /** When the merchant asked to cancel the charge; null: they did not. */
  cancelRequestedAt: Date | null;
  /** When the charge failed; null while it has not. */
  failedAt: Date | null;
  /** When the provider last answered; null while it never did. */
  verifiedAt: Date | null;
}

/**
 * When a watched attempt is checked next after `now`; null: never again. The times are counted from
 * fixed points, not from the last check, so that a late or additional check delays no other.
 */
export function nextCheckAt(watched: Watched, now: Date): Date | null {
  const { failedAt, chargeExpiresAt, cancelRequestedAt, verifiedAt } = watched;
  if (failedAt) return firstAfter(now, failedAt, AFTER_FAILURE_MS);
  const endsAt = cancelRequestedAt ? earliest(chargeExpiresAt, cancelRequestedAt) : chargeExpiresAt;
  if (endsAt > now) return earliest(whileUnpaid(watched, now), endsAt);
  // After the charge's end one answer is enough: the charge fails, is paid, or is in review.
  if (verifiedAt && verifiedAt >= endsAt) return null;
  return (
    (cancelRequestedAt && firstAfter(now, cancelRequestedAt, QUICK_MS)) ??
    everyAfter(now, endsAt, HOUR_MS)
  );
}

/**
 * The first check of a charge's attempts after the merchant asked to cancel it: soon, because
 * somebody waits for the answer.
 */
export function firstCheckAfterCancel(cancelRequestedAt: Date): Date {
  return new Date(cancelRequestedAt.getTime() + QUICK_MS[0]!);
}

/**
 * The end of the link is a point of the schedule: what was not paid by then needs another attempt.
 */
function whileUnpaid({ since, linkExpiresAt }: Watched, now: Date): Date {
  const quickUntil = new Date(since.getTime() + QUICK_MS.at(-1)!);
  if (linkExpiresAt && linkExpiresAt <= now)
    return everyAfter(now, linkExpiresAt, AFTER_LINK_ENDED_MS);
  const next =
    firstAfter(now, since, QUICK_MS) ?? everyAfter(now, quickUntil, WHILE_LINK_IS_OPEN_MS);
  return linkExpiresAt ? earliest(next, linkExpiresAt) : next;
}

/** The first check of a charge's attempts after the charge failed. */
export function firstCheckAfterFailure(failedAt: Date): Date {
  return new Date(failedAt.getTime() + AFTER_FAILURE_MS[0]!);
}

/**
 * After this long without an answer whether a provider has a payment, it may be made at another
 * provider: the payer waits.
 */
const SILENCE_MS = MINUTE_MS;

/** True when a payment was sent long ago and the provider has not confirmed it since. */
export function isLongSilent(sentAt: Date, now: Date): boolean {
  return now.getTime() - sentAt.getTime() >= SILENCE_MS;
}

/**
 * Waits before the n-th attempt of a charge whose earlier links were lost. The payer waits, so the
 * first has none.
 */
const REPLACEMENT_WAITS_MS = [0, 5, 15, 60, 300, 900, 3600].map((seconds) => seconds * SECOND_MS);

/** When the next attempt of a charge is made after its `made`-th link was lost. */
export function nextReplacementAt(made: number, now: Date): Date {
  return new Date(now.getTime() + nthOrLast(REPLACEMENT_WAITS_MS, made));
}

const QUICK_MS = sums(GAPS_MS);

function sums(gapsMs: number[]): number[] {
  let total = 0;
  return gapsMs.map((gap) => (total += gap));
}

function firstAfter(now: Date, from: Date, offsetsMs: readonly number[]): Date | null {
  const offsetMs = offsetsMs.find((offset) => from.getTime() + offset > now.getTime());
  return offsetMs === undefined ? null : new Date(from.getTime() + offsetMs);
}

/** The first of `from + gap`, `from + 2 gap`, … that is after `now`. */
function everyAfter(now: Date, from: Date, gapMs: number): Date {
  const gaps = Math.floor((now.getTime() - from.getTime()) / gapMs) + 1;
  return new Date(from.getTime() + Math.max(gaps, 1) * gapMs);
}

function earliest(one: Date, other: Date): Date {
  return one < other ? one : other;
}
