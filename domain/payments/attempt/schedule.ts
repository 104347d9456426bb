import { nthOrLast } from '../../shared/retry.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** First checks, as gaps from acceptance: quick while the payer is likely at the page. */
const GAPS_MS = [5, 10, 20, 40, 80, 160, 300, 600].map((seconds) => seconds * SECOND_MS);
const WHILE_LINK_LIVES_MS = 15 * MINUTE_MS;
const WHILE_CHARGE_LIVES_MS = HOUR_MS;

/**
 * Money may still come after a charge failed (slow transfers): looked for this long after the
 * failure.
 */
const AFTER_FAILURE_MS = [1, 6, 24, 72].map((hours) => hours * HOUR_MS);

/** What the checking schedule depends on. Times UTC. */
export interface Watched {
  /** When the provider accepted the attempt, or when we gave its link up. */
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
 * The first moment after `now` at which a watched attempt is to be checked, or null when it is
 * never asked again. Points are counted from fixed times, not from the last check, so a check that
 * ran late, or one more than planned, does not push the rest back.
 */
export function nextCheckAt(watched: Watched, now: Date): Date | null {
  const { failedAt, chargeExpiresAt, cancelRequestedAt, verifiedAt } = watched;
  if (failedAt) return firstAfter(now, failedAt, AFTER_FAILURE_MS);
  const endsAt = cancelRequestedAt ? earliest(chargeExpiresAt, cancelRequestedAt) : chargeExpiresAt;
  if (endsAt > now) return earliest(whileUnpaid(watched, now), endsAt);
  // Past the charge's end one answer is enough: it fails the charge, or finds it paid or in a
  // person's hands.
  if (verifiedAt && verifiedAt >= endsAt) return null;
  return (
    (cancelRequestedAt && firstAfter(now, cancelRequestedAt, QUICK_MS)) ??
    everyAfter(now, endsAt, HOUR_MS)
  );
}

/**
 * When the payments of a charge that the merchant has just asked to cancel are looked at: quickly,
 * for somebody waits for the answer.
 */
export function firstCheckAfterCancel(cancelRequestedAt: Date): Date {
  return new Date(cancelRequestedAt.getTime() + QUICK_MS[0]!);
}

/**
 * The link's own end is a point of the schedule: what was not paid by then has to be paid
 * elsewhere.
 */
function whileUnpaid({ since, linkExpiresAt }: Watched, now: Date): Date {
  const quickUntil = new Date(since.getTime() + QUICK_MS.at(-1)!);
  if (linkExpiresAt && linkExpiresAt <= now)
    return everyAfter(now, linkExpiresAt, WHILE_CHARGE_LIVES_MS);
  const next = firstAfter(now, since, QUICK_MS) ?? everyAfter(now, quickUntil, WHILE_LINK_LIVES_MS);
  return linkExpiresAt ? earliest(next, linkExpiresAt) : next;
}

/** When a charge that failed just now is looked at for the first time after. */
export function firstCheckAfterFailure(failedAt: Date): Date {
  return new Date(failedAt.getTime() + AFTER_FAILURE_MS[0]!);
}

/**
 * A provider that cannot say for so long whether it holds a payment keeps its payer waiting: the
 * payment may be made at another one.
 */
const SILENCE_MS = MINUTE_MS;

/** True when a payment was sent long ago, and its provider has not said since that it has it. */
export function isLongSilent(sentAt: Date, now: Date): boolean {
  return now.getTime() - sentAt.getTime() >= SILENCE_MS;
}

/**
 * Waits before the n-th payment of a charge whose earlier links were lost: the payer waits, so the
 * first is made at once.
 */
const REPLACEMENT_WAITS_MS = [0, 5, 15, 60, 300, 900, 3600].map((seconds) => seconds * SECOND_MS);

/** When the next payment of a charge is made after its `made`-th one was lost. */
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
