const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Gaps between checks, counted from acceptance: quick while the payer is likely at the page, then slower. */
const GAPS_MS = [5, 10, 20, 40, 80, 160, 300, 600].map((seconds) => seconds * SECOND_MS);
const WHILE_LINK_LIVES_MS = 15 * MINUTE_MS;
const WHILE_CHARGE_LIVES_MS = HOUR_MS;

/** Money may still come after a charge failed (slow transfers): looked for this long after the failure. */
const AFTER_FAILURE_MS = [1, 6, 24, 72].map((hours) => hours * HOUR_MS);

/** What the checking schedule depends on. Times UTC. */
export interface Watched {
  /** When the provider accepted the attempt, or when we gave its link up. */
  since: Date;
  /** Null: the provider's link has no end of its own. */
  linkExpiresAt: Date | null;
  chargeExpiresAt: Date;
  /** When the charge failed; null while it has not. */
  failedAt: Date | null;
}

/**
 * The first moment after `now` at which a watched attempt is to be checked, or null when it is never asked again. Points are counted
 * from fixed times, not from the last check, so a check that ran late does not push the rest back.
 */
export function nextCheckAt(watched: Watched, now: Date): Date | null {
  if (watched.failedAt) return firstAfter(now, watched.failedAt, AFTER_FAILURE_MS);
  const early = firstAfter(now, watched.since, sums(GAPS_MS));
  if (early) return sooner(early, watched.chargeExpiresAt, now);
  const linkLives = !watched.linkExpiresAt || now < watched.linkExpiresAt;
  const gapMs = linkLives ? WHILE_LINK_LIVES_MS : WHILE_CHARGE_LIVES_MS;
  return sooner(new Date(now.getTime() + gapMs), watched.chargeExpiresAt, now);
}

/** Waits between tries of a create that did not come through: the n-th after the n-th try, the last for all that follow. */
const CREATE_WAITS_MS = [2, 5, 15, 30, 60, 120, 300].map((seconds) => seconds * SECOND_MS);

/** When a create whose outcome is open is taken up again after its `tries`-th try. */
export function nextCreateAt(tries: number, now: Date): Date {
  const waitMs = CREATE_WAITS_MS[Math.min(Math.max(tries, 1), CREATE_WAITS_MS.length) - 1]!;
  return new Date(now.getTime() + waitMs);
}

/** Waits before the n-th payment of a charge whose earlier links were lost: the payer waits, so the first is made at once. */
const REPLACEMENT_WAITS_MS = [0, 5, 15, 60, 300, 900, 3600].map((seconds) => seconds * SECOND_MS);

/** When the next payment of a charge is made after its `made`-th one was lost. */
export function nextReplacementAt(made: number, now: Date): Date {
  return new Date(now.getTime() + REPLACEMENT_WAITS_MS[Math.min(Math.max(made, 1), REPLACEMENT_WAITS_MS.length) - 1]!);
}

function firstAfter(now: Date, from: Date, offsetsMs: number[]): Date | null {
  const offsetMs = offsetsMs.find((offset) => from.getTime() + offset > now.getTime());
  return offsetMs === undefined ? null : new Date(from.getTime() + offsetMs);
}

function sums(gapsMs: number[]): number[] {
  let total = 0;
  return gapsMs.map((gap) => (total += gap));
}

/** The charge's own end is always a point of the schedule; past it, hourly until a check has been answered. */
function sooner(next: Date, end: Date, now: Date): Date {
  if (end <= now) return new Date(now.getTime() + WHILE_CHARGE_LIVES_MS);
  return next < end ? next : end;
}
