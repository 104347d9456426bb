import { nthOrLast } from '../../shared/retry.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../shared/units.ts';

/** While the payer is probably at the page; later the list of payments shows what was paid. */
const AFTER_ACCEPTANCE_MS = [10, 30, 120, 600].map((seconds) => seconds * SECOND_MS);
/** At a provider that lists no payments, until the link ends and after it. */
const WHILE_LINK_IS_OPEN_MS = 15 * MINUTE_MS;
const AFTER_LINK_ENDED_MS = HOUR_MS;

const AFTER_CANCEL_MS = [5, 15, 45, 120, 300, 600, 1200].map((seconds) => seconds * SECOND_MS);

/** Counted from the failure: money may still come by a slow transfer. */
const AFTER_FAILURE_MS = [1, 6, 24, 72].map((hours) => hours * HOUR_MS);
/** After a decline the payer may try another card under the same reference. */
const AFTER_DECLINE_MS = [30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, ...AFTER_FAILURE_MS];
/** From the last payment: who pays twice mostly does so within minutes, in another tab. */
const AFTER_PAYMENT_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 6 * HOUR_MS];
/** The rest may still come. */
const WHILE_UNDERPAID_MS = 24 * HOUR_MS;
const AGAIN_MS = 5 * SECOND_MS;
/** Clocks of two processes differ. */
const EARLY_MS = SECOND_MS;

export interface Watched {
  /** Acceptance, or else sending. */
  since: Date;
  linkExpiresAt: Date | null;
  chargeExpiresAt: Date;
  cancelRequestedAt: Date | null;
  failedAt: Date | null;
  isDeclined: boolean;
  isUnderpaid: boolean;
  /** Its last payment, where it may be paid again. */
  paidAt: Date | null;
  verifiedAt: Date | null;
  isListed: boolean;
}

/**
 * Counted from fixed points, so that a late or additional check delays no other. Null: never again.
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

export function firstCheckAfterCancel(cancelRequestedAt: Date): Date {
  return new Date(cancelRequestedAt.getTime() + AFTER_CANCEL_MS[0]!);
}

/** Includes the link's end: what was not paid by then needs another attempt. */
function whileUnpaid({ since, linkExpiresAt, isListed }: Watched, now: Date): Date | null {
  const hasLinkEnded = linkExpiresAt !== null && linkExpiresAt <= now;
  if (hasLinkEnded) return isListed ? null : everyAfter(now, linkExpiresAt, AFTER_LINK_ENDED_MS);
  const quickUntil = new Date(since.getTime() + AFTER_ACCEPTANCE_MS.at(-1)!);
  const next =
    firstAfter(now, since, AFTER_ACCEPTANCE_MS) ??
    (isListed ? null : everyAfter(now, quickUntil, WHILE_LINK_IS_OPEN_MS));
  return earliest(next, linkExpiresAt);
}

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

/** The next of a few checks far apart. Without an answer it is made again, after growing waits. */
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

/** After an unanswered extra check: the longer the provider is silent, the later. */
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

function waitAfterSilence(checkMs: number, passedMs: number): number {
  return Math.max(AGAIN_MS, passedMs - checkMs, checkMs / 30);
}

/** The payer waits: without an answer for so long, another provider may be asked. */
const SILENCE_MS = MINUTE_MS;

export function isLongSilent(sentAt: Date, now: Date): boolean {
  return now.getTime() - sentAt.getTime() >= SILENCE_MS;
}

/** A payer waits no longer for a provider that takes no calls: an unsent payment moves on. */
const LIMITED_MS = 10 * SECOND_MS;

export function isLongLimited(waitMs: number | null): boolean {
  return waitMs !== null && waitMs > LIMITED_MS;
}

/** The payer waits, so the first has none. */
const REPLACEMENT_WAITS_MS = [0, 5, 15, 60, 300, 900, 3600].map((seconds) => seconds * SECOND_MS);

export function nextReplacementAt(made: number, now: Date): Date {
  return new Date(now.getTime() + nthOrLast(REPLACEMENT_WAITS_MS, made));
}

function firstAfter(now: Date, from: Date, offsetsMs: readonly number[]): Date | null {
  const offsetMs = offsetsMs.find((offset) => from.getTime() + offset > now.getTime());
  return offsetMs === undefined ? null : new Date(from.getTime() + offsetMs);
}

function everyAfter(now: Date, from: Date, gapMs: number): Date {
  const gaps = Math.floor((now.getTime() - from.getTime()) / gapMs) + 1;
  return new Date(from.getTime() + Math.max(gaps, 1) * gapMs);
}

function earliest<Other extends Date | null>(one: Date | null, other: Other): Date | Other {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}
