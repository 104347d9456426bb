import type { RateLimit } from './rate-limits.ts';

export interface Standing {
  /** False: refuse the request with 429. */
  allowed: boolean;
  limit: number;
  /** Points left in the window, as far as this process knows. */
  remaining: number;
  resetMs: number;
}

/** A subject's window as this process knows it. Times are of its monotonic clock. */
export interface Window {
  /** Until here points are granted: never longer than the store's own window lasts. */
  validUntilMs: number;
  /** When the store's window has surely ended. */
  endsMs: number;
  /** Points of the last block that are not granted yet. They expire with the window. */
  blockLeft: number;
  /** Points the store had left when it last answered. */
  free: number;
  /** The store has no more points in this window: it need not be asked again. */
  isSpent: boolean;
  /** Points this process granted in this window, whether the store knows about them or not. */
  granted: number;
  /** Points granted without the store, to be added when it is back. */
  owed: number;
  /** Shared by all who wait for a point. Resolves to whether the store answered in time. */
  asking: Promise<boolean> | undefined;
}

export function newWindow({ points, windowMs }: RateLimit, nowMs: number): Window {
  const endsMs = nowMs + windowMs;
  return {
    validUntilMs: endsMs,
    endsMs,
    blockLeft: 0,
    free: points,
    isSpent: false,
    granted: 0,
    owed: 0,
    asking: undefined,
  };
}

/** The store's answer: all points taken in the window, and how long it lasts. */
export interface Block {
  points: number;
  owed: number;
  consumed: number;
  restMs: number;
  sentMs: number;
  answeredMs: number;
}

/** Points granted without the store count: together, processes grant exactly the limit. */
export function creditBlock(window: Window, { points: limit }: RateLimit, block: Block): void {
  const left = Math.min(block.points, Math.max(0, limit - (block.consumed - block.points)));
  const unpaid = Math.max(0, window.owed - block.owed);
  window.owed = Math.max(0, unpaid - left);
  window.blockLeft += Math.max(0, left - unpaid);
  window.isSpent = left < block.points;
  window.free = Math.max(0, limit - block.consumed);
  window.validUntilMs = block.sentMs + block.restMs;
  window.endsMs = block.answeredMs + block.restMs;
}

export function grantFromBlock(window: Window, rule: RateLimit): Standing {
  window.blockLeft -= 1;
  window.granted += 1;
  return standingOf(window, rule, true, window.free + window.blockLeft);
}

/** Grants a point without the store, up to this process's part of the limit, or a share of that. */
export function grantFromShare(window: Window, rule: RateLimit, processes: number, share = 1) {
  const most = Math.max(1, Math.floor((rule.points / processes) * share));
  if (window.granted >= most) return refuse(window, rule);
  window.granted += 1;
  window.owed += 1;
  return standingOf(window, rule, true, most - window.granted);
}

/** True when that share of the points was taken. A share is never less than a point. */
export function isTakenUpTo(window: Window, { points }: RateLimit, share: number): boolean {
  const taken = points - window.free - window.blockLeft + window.owed;
  return taken >= Math.max(1, Math.floor(points * share));
}

export function refuse(window: Window, rule: RateLimit): Standing {
  return standingOf(window, rule, false, 0);
}

export function remainingMs({ endsMs }: Window): number {
  return Math.max(0, endsMs - performance.now());
}

function standingOf(
  window: Window,
  { points }: RateLimit,
  allowed: boolean,
  remaining: number,
): Standing {
  return { allowed, limit: points, remaining, resetMs: remainingMs(window) };
}
