import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { sha256Of } from '../../domain/shared/sha256.ts';
import { DeadlineError, withDeadline } from '../deadline.ts';
import type { Logger } from '../logger.ts';
import { trackOutage } from '../outage.ts';
import type { LimitStore } from './limit-store.ts';
import {
  creditBlock,
  grantFromBlock,
  grantFromShare,
  isTakenUpTo,
  newWindow,
  refuse,
  remainingMs,
  type Standing,
  type Window,
} from './limit-window.ts';
import type { RateLimit, RateLimitName } from './rate-limits.ts';

/**
 * Limits that processes share through a store: together they never grant more. Waits at most 50 ms
 * for it; while it is unavailable, each process grants its part. Never fails.
 */
export interface Limits<Name extends string = RateLimitName> extends AsyncDisposable {
  /**
   * Takes a point, with a share none beyond that part of the limit, as far as this process knows.
   * Only the subject's hash leaves the process.
   *
   * To count only failures, take a point before the attempt and give it back after a success:
   * checking first lets a hundred concurrent guesses through.
   */
  take(name: Name, subject: string, share?: number): Promise<Standing>;
  /** Asks no store, takes no point; undefined: the subject may have points left. */
  spent(name: Name, subject: string): Standing | undefined;
  /** Gives a granted point back. Without effect once its window has ended. */
  giveBack(name: Name, subject: string): Promise<void>;
}

export interface LimitsOptions<Name extends string = RateLimitName> {
  rules: Record<Name, RateLimit>;
  processes: number;
  log: Logger;
  storeTimeoutMs?: number;
}

const STORE_TIMEOUT_MS = 50;
/** Clocks differ: a client that comes this early for the next window waits for it. */
const CLOCK_TOLERANCE_MS = 10;
const BLOCK = 10;
/** All processes hold so much of a limit at most: what one holds is lost to the others. */
const HELD_PART = 1 / 10;
/** Some 20 MB; one beyond them costs one more call. A size, because `max` allocates them all. */
const MAX_SUBJECTS = 50_000;
const SWEEP_EVERY_MS = 60_000;

/** Takes points from the store in blocks. Closes the store with itself. */
export function createLimits<Name extends string = RateLimitName>(
  store: LimitStore,
  { rules, processes, log, storeTimeoutMs = STORE_TIMEOUT_MS }: LimitsOptions<Name>,
): Limits<Name> {
  const windows = new LRUCache<string, Window>({ maxSize: MAX_SUBJECTS, sizeCalculation: () => 1 });
  const outage = trackOutage(log, 'rate limits', 'this process grants its share of each limit');
  const sweeping = setInterval(() => {
    windows.purgeStale();
    void store.sweep();
  }, SWEEP_EVERY_MS).unref();

  const inTime = async (answer: Promise<unknown>): Promise<boolean> => {
    try {
      await withDeadline(answer, storeTimeoutMs);
      outage.end();
      return true;
    } catch (error) {
      if (error instanceof DeadlineError) {
        outage.beginLate();
        answer.catch(outage.begin);
      } else outage.begin(error as Error);
      return false;
    }
  };

  const blockOf = ({ points }: RateLimit) =>
    Math.min(BLOCK, Math.max(1, Math.floor((points * HELD_PART) / processes)));

  /** Takes a block, and adds what was granted without the store. A late answer still counts. */
  const takeBlock = (key: string, window: Window, rule: RateLimit): Promise<boolean> => {
    const points = blockOf(rule);
    const { owed } = window;
    const sentMs = performance.now();
    const credited = store.add(key, owed + points, rule.windowMs).then((answer) => {
      creditBlock(window, rule, { points, owed, ...answer, sentMs, answeredMs: performance.now() });
    });
    return inTime(
      credited.finally(() => {
        window.asking = undefined;
      }),
    );
  };

  return {
    async take(name, subject, share = 1) {
      const rule = rules[name];
      const key = keyOf(name, subject);
      for (;;) {
        const window = windowOf(windows, key, rule);
        if (share < 1 && isTakenUpTo(window, rule, share)) return refuse(window, rule);
        if (window.blockLeft > 0) return grantFromBlock(window, rule);
        if (window.isSpent) {
          if (remainingMs(window) > CLOCK_TOLERANCE_MS) return refuse(window, rule);
          await pause(remainingMs(window));
          continue;
        }
        const isKnownAway = outage.isAway();
        if (!window.asking && !outage.mayCall())
          return grantFromShare(window, rule, processes, share);
        window.asking ??= takeBlock(key, window, rule);
        // Nobody waits for a store that is known to be away; its answer counts when it comes.
        if (isKnownAway || !(await window.asking))
          return grantFromShare(window, rule, processes, share);
      }
    },
    spent(name, subject) {
      const window = windows.get(keyOf(name, subject));
      const isSpent = window?.isSpent && window.blockLeft === 0 && !isOver(window);
      return isSpent ? refuse(window, rules[name]) : undefined;
    },
    async giveBack(name, subject) {
      const key = keyOf(name, subject);
      const window = windows.get(key);
      if (!window || window.granted === 0 || isOver(window)) return;
      window.granted -= 1;
      if (window.owed > 0) window.owed -= 1;
      else if (window.isSpent || !outage.mayCall()) window.blockLeft += 1;
      else if (await inTime(store.add(key, -1, rules[name].windowMs))) window.free += 1;
    },
    async [Symbol.asyncDispose]() {
      clearInterval(sweeping);
      await store[Symbol.asyncDispose]();
    },
  };
}

/** A pending block belongs to the window it opens. */
function windowOf(windows: LRUCache<string, Window>, key: string, rule: RateLimit): Window {
  const known = windows.get(key);
  if (known && (known.asking || !isOver(known))) return known;
  const window = newWindow(rule, performance.now());
  windows.set(key, window, { ttl: 2 * rule.windowMs });
  return window;
}

function isOver({ validUntilMs }: Window): boolean {
  return performance.now() >= validUntilMs;
}

function keyOf(name: string, subject: string): string {
  return `${name}:${sha256Of(subject)}`;
}
