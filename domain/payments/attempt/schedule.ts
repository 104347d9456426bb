import { nthOrLast } from '../../shared/retry.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../shared/units.ts';

/**
 * Checks after acceptance, while the payer is probably at the page. Later, the list of the
 * connection's payments shows which attempts were paid.
 */
const AFTER_ACCEPTANCE_MS = [10, 30, 120, 600].map((seconds) => seconds * SECOND_MS);
/** At a provider that lists no payments, until the link ends and after it. */
const WHILE_LINK_IS_OPEN_MS = 15 * MINUTE_MS;
const AFTER_LINK_ENDED_MS = HOUR_MS;

/** Checks after a request to cancel: somebody waits for the answer. */
const AFTER_CANCEL_MS = [5, 15, 45, 120, 300, 600, 1200].map((seconds) => seconds * SECOND_MS);

/**
 * Checks after a charge failed, counted from the failure: money may still come by a slow transfer.
 */
const AFTER_FAILURE_MS = [1, 6, 24, 72].map((hours) => hours * HOUR_MS);
/**
 * The same where the last payment was declined: the payer is probably still at the provider's page,
 * which may take another card under the same reference.
 */
const AFTER_DECLINE_MS = [30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, ...AFTER_FAILURE_MS];
/**
 * Checks of a paid attempt that may be paid again, counted from its last payment: who pays twice
 * mostly does so within minutes, in another tab. The end of its link is another check.
 */
const AFTER_PAYMENT_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 6 * HOUR_MS];
/** While a person decides about an underpaid charge past its end, the rest may still come. */
const WHILE_UNDERPAID_MS = 24 * HOUR_MS;
/** A check that got no answer is made again at the earliest after this. */
const AGAIN_MS = 5 * SECOND_MS;
/** A check may begin this much before it is due: clocks of two processes differ. */
const EARLY_MS = SECOND_MS;

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
  /** True: the charge failed because its last payment was declined. */
  isDeclined: boolean;
  /** True: too little was paid of the charge, and a person decides about it. */
  isUnderpaid: boolean;
  /** When it was last paid, where it paid its charge and may be paid again; else null. */
  paidAt: Date | null;
  /** When the provider last answered; null while it never did. */
  verifiedAt: Date | null;
  /** True: the provider's list of payments is read regularly and shows which attempts were paid. */
  isListed: boolean;
}

/**
 * When a watched attempt is checked next after `now`; null: never again. The times are counted from
 * fixed points, not from the last check, so that a late or additional check delays no other.
 */
export function nextCheckAt(watched: Watched, now: Date): Date | null {
  const { failedAt, chargeExpiresAt, cancelRequestedAt, verifiedAt, paidAt } = watched;
  if (paidAt)
    return nextAnswered(now, paidAt, afterPayment(paidAt, watched.linkExpiresAt), watched);
  if (failedAt) return nextAnswered(now, failedAt, afterFailure(watched.isDeclined), watched);
  const endsAt = cancelRequestedAt ? earliest(chargeExpiresAt, cancelRequestedAt) : chargeExpiresAt;
  if (endsAt > now) return earliest(whileUnpaid(watched, now), endsAt);
  // After the charge's end one answer is enough: the charge fails, is paid, or is in review.
  if (verifiedAt && verifiedAt >= endsAt)
    return watched.isUnderpaid ? everyAfter(now, endsAt, WHILE_UNDERPAID_MS) : null;
  return (
    (cancelRequestedAt && firstAfter(now, cancelRequestedAt, AFTER_CANCEL_MS)) ??
    everyAfter(now, endsAt, HOUR_MS)
  );
}

/**
 * The first check of a charge's attempts after the merchant asked to cancel it: soon, because
 * somebody waits for the answer.
 */
export function firstCheckAfterCancel(cancelRequestedAt: Date): Date {
  return new Date(cancelRequestedAt.getTime() + AFTER_CANCEL_MS[0]!);
}

/**
 * The end of the link is a point of the schedule: what was not paid by then needs another attempt.
 * Null: no check before the charge's end.
 */
function whileUnpaid({ since, linkExpiresAt, isListed }: Watched, now: Date): Date | null {
  const hasLinkEnded = linkExpiresAt !== null && linkExpiresAt <= now;
  if (hasLinkEnded) return isListed ? null : everyAfter(now, linkExpiresAt, AFTER_LINK_ENDED_MS);
  const quickUntil = new Date(since.getTime() + AFTER_ACCEPTANCE_MS.at(-1)!);
  const next =
    firstAfter(now, since, AFTER_ACCEPTANCE_MS) ??
    (isListed ? null : everyAfter(now, quickUntil, WHILE_LINK_IS_OPEN_MS));
  return earliest(next, linkExpiresAt);
}

/** The first check of a charge's attempts after the charge failed. */
export function firstCheckAfterFailure(failedAt: Date, isDeclined: boolean): Date {
  return new Date(failedAt.getTime() + afterFailure(isDeclined)[0]!);
}

function afterFailure(isDeclined: boolean): readonly number[] {
  return isDeclined ? AFTER_DECLINE_MS : AFTER_FAILURE_MS;
}

function afterPayment(paidAt: Date, linkExpiresAt: Date | null): number[] {
  const linkEndMs = linkExpiresAt ? linkExpiresAt.getTime() - paidAt.getTime() : 0;
  return [...AFTER_PAYMENT_MS, ...(linkEndMs > 0 ? [linkEndMs] : [])].sort((a, b) => a - b);
}

/**
 * The next of a few checks that lie far apart; null: all were made. One that got no answer is made
 * again, after growing waits, so that an error of the provider does not cost hours.
 */
function nextAnswered(
  now: Date,
  from: Date,
  offsetsMs: readonly number[],
  { verifiedAt }: Pick<Watched, 'verifiedAt'>,
): Date | null {
  const next = firstAfter(now, from, offsetsMs);
  const passedMs = now.getTime() - from.getTime();
  const lastMs = offsetsMs.findLast((offset) => offset <= passedMs);
  if (lastMs === undefined) return next;
  const isAnswered =
    verifiedAt !== null && verifiedAt.getTime() >= from.getTime() + lastMs - EARLY_MS;
  if (isAnswered) return next;
  const again = new Date(now.getTime() + waitAfterSilence(lastMs, passedMs));
  return next ? earliest(again, next) : again;
}

/**
 * When a check beyond the schedule, such as one that the payment audit asked for, is made again
 * after it got no answer. The longer the provider has said nothing of the attempt, the later.
 */
export function nextUnplannedCheckAt(
  {
    verified_at: verifiedAt,
    created_at: createdAt,
  }: { verified_at: Date | null; created_at: Date },
  now: Date,
): Date {
  const silentMs = now.getTime() - (verifiedAt ?? createdAt).getTime();
  return new Date(now.getTime() + Math.max(HOUR_MS, silentMs / 8));
}

/**
 * The wait after a check that got no answer: longer for a later check, and twice as long each time.
 */
function waitAfterSilence(checkMs: number, passedMs: number): number {
  return Math.max(AGAIN_MS, passedMs - checkMs, checkMs / 30);
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
 * A payer waits for a provider that takes no more calls for no longer than this: beyond it, a
 * payment that was never sent is made at another provider.
 */
const LIMITED_MS = 10 * SECOND_MS;

/** True when a provider takes no calls for so long that a payment should not wait for it. */
export function isLongLimited(waitMs: number | null): boolean {
  return waitMs !== null && waitMs > LIMITED_MS;
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

function firstAfter(now: Date, from: Date, offsetsMs: readonly number[]): Date | null {
  const offsetMs = offsetsMs.find((offset) => from.getTime() + offset > now.getTime());
  return offsetMs === undefined ? null : new Date(from.getTime() + offsetMs);
}

/** The first of `from + gap`, `from + 2 gap`, … that is after `now`. */
function everyAfter(now: Date, from: Date, gapMs: number): Date {
  const gaps = Math.floor((now.getTime() - from.getTime()) / gapMs) + 1;
  return new Date(from.getTime() + Math.max(gaps, 1) * gapMs);
}

function earliest<Other extends Date | null>(one: Date | null, other: Other): Date | Other {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}
