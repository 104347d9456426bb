import type { RateLimit } from './rate-limits.ts';

/** Where a subject stands in its window. */
export interface Standing {
  /** False: do nothing for this request; answer 429. */
  allowed: boolean;
  limit: number;
  /** Points left in the window, as far as this process knows. */
  remaining: number;
  /** Until the window ends; what is refused now is not refused after it. */
  resetMs: number;
}

/** What this process knows of one subject's window. Times are of the process's own steady clock. */
export interface Account {
  /** Until here points are granted: never longer than the store's own window lasts. */
  validUntilMs: number;
  /** When the store's window has surely ended. */
  endsMs: number;
  /** Points taken from the store and not granted yet. They go with the window. */
  held: number;
  /** Points the store had left when it was last asked. */
  free: number;
  /** The store has no more points in this window: it need not be asked again. */
  isSpent: boolean;
  /** Granted by this process in this window, whether the store knows of it or not. */
  granted: number;
  /** Granted while the store was away: told to it when it is back. */
  owed: number;
  /** The block on its way: whoever needs a point meanwhile waits for the same one. Resolves to whether the store answered in time. */
  asking: Promise<boolean> | undefined;
}

/** A window that starts now, as far as this process knows. */
export function openAccount({ points, windowMs }: RateLimit, nowMs: number): Account {
  const endsMs = nowMs + windowMs;
  return {
    validUntilMs: endsMs,
    endsMs,
    held: 0,
    free: points,
    isSpent: false,
    granted: 0,
    owed: 0,
    asking: undefined,
  };
}

/** A block asked of the store, and what it answered: all points taken in the window, this block too, and how long the window lasts. */
export interface Block {
  points: number;
  owed: number;
  consumed: number;
  restMs: number;
  sentMs: number;
  answeredMs: number;
}

/**
 * Books a block. Of one that the store had not all of, what it still had: so all processes together grant the limit and no more. What was
 * granted alone while the block was on its way is paid out of it.
 */
export function credit(account: Account, { points: limit }: RateLimit, block: Block): void {
  const left = Math.min(block.points, Math.max(0, limit - (block.consumed - block.points)));
  const unpaid = Math.max(0, account.owed - block.owed);
  account.owed = Math.max(0, unpaid - left);
  account.held += Math.max(0, left - unpaid);
  account.isSpent = left < block.points;
  account.free = Math.max(0, limit - block.consumed);
  account.validUntilMs = block.sentMs + block.restMs;
  account.endsMs = block.answeredMs + block.restMs;
}

/** Grants one of the points held. */
export function grantHeld(account: Account, rule: RateLimit): Standing {
  account.held -= 1;
  account.granted += 1;
  return standingOf(account, rule, true, account.free + account.held);
}

/** Grants a point without the store, as long as this process has not granted its share of the window. */
export function grantAlone(account: Account, rule: RateLimit, processes: number): Standing {
  const share = Math.max(1, Math.floor(rule.points / processes));
  if (account.granted >= share) return refuse(account, rule);
  account.granted += 1;
  account.owed += 1;
  return standingOf(account, rule, true, share - account.granted);
}

export function refuse(account: Account, rule: RateLimit): Standing {
  return standingOf(account, rule, false, 0);
}

/** How long the window still lasts. */
export function restOf({ endsMs }: Account): number {
  return Math.max(0, endsMs - performance.now());
}

function standingOf(
  account: Account,
  { points }: RateLimit,
  allowed: boolean,
  remaining: number,
): Standing {
  return { allowed, limit: points, remaining, resetMs: restOf(account) };
}
