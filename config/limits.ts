import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { sha256Of } from '../domain/shared/sha256.ts';
import { withDeadline } from './deadline.ts';
import {
  type Account,
  credit,
  grantAlone,
  grantHeld,
  openAccount,
  refuse,
  restOf,
  type Standing,
} from './limit-account.ts';
import type { LimitStore } from './limit-store.ts';
import type { Logger } from './logger.ts';
import { trackOutage } from './outage.ts';
import type { RateLimit, RateLimitName } from './rate-limits.ts';

/**
 * Counts what subjects do, together with every other process on the same store: never more points than the limit are granted in a
 * window, whoever asks at once. Never fails, and waits 50 ms for the store at the most: while it is away each process grants its share.
 */
export interface Limits<Name extends string = RateLimitName> extends AsyncDisposable {
  /**
   * Takes a point, unless there is none: then `allowed` is false. A subject is whatever is counted: an id, a network, an e-mail address
   * (only its hash leaves the process).
   *
   * To count failures alone, take a point before the attempt and give it back when the attempt was good. Who looks first and counts
   * afterwards lets a hundred guesses through that are made at once.
   */
  take(name: Name, subject: string): Promise<Standing>;
  /** Gives back a point that was granted. Too late once its window has ended. */
  giveBack(name: Name, subject: string): Promise<void>;
}

export interface LimitsOptions<Name extends string = RateLimitName> {
  rules: Record<Name, RateLimit>;
  /** How many processes share the store: what each grants without it is the limit divided by them. */
  processes: number;
  log: Logger;
  storeTimeoutMs?: number;
}

/** A store that takes longer is away: a limit must not cost a request more than this. */
const STORE_TIMEOUT_MS = 50;
/** No two clocks are the same: who comes so shortly before a window ends was told to come now, and waits for it. */
const NEARLY_OVER_MS = 10;
/** Points taken from the store at a time, so that most requests cost it nothing. */
const BLOCK = 10;
/** What a process took for a subject that then went to another process is lost until the window ends: so small a part it may be. */
const BLOCK_PART = 1 / 30;
/** Some 20 MB. A subject beyond them costs one more question to the store. */
const MOST_SUBJECTS = 50_000;
const SWEEP_EVERY_MS = 60_000;

/** Counts on a store, which is closed with it. Points are taken from the store in blocks and granted from memory. */
export function createLimits<Name extends string = RateLimitName>(
  store: LimitStore,
  { rules, processes, log, storeTimeoutMs = STORE_TIMEOUT_MS }: LimitsOptions<Name>,
): Limits<Name> {
  const accounts = new LRUCache<string, Account>({ max: MOST_SUBJECTS });
  const outage = trackOutage(log, 'rate limits', 'this process grants its share of each limit');
  const sweeping = setInterval(() => {
    accounts.purgeStale();
    void store.sweep();
  }, SWEEP_EVERY_MS).unref();

  /** Whether the store answered while it was waited for. */
  const inTime = async (answer: Promise<unknown>): Promise<boolean> => {
    try {
      await withDeadline(answer, storeTimeoutMs);
      outage.end();
      return true;
    } catch (error) {
      outage.begin(error as Error);
      return false;
    }
  };

  /** Takes a block, and tells the store what was granted without it. An answer that comes too late to be waited for is booked all the same. */
  const takeBlock = (key: string, account: Account, rule: RateLimit): Promise<boolean> => {
    const points = Math.min(BLOCK, Math.max(1, Math.floor(rule.points * BLOCK_PART)));
    const { owed } = account;
    const sentMs = performance.now();
    const booked = store.add(key, owed + points, rule.windowMs).then((answer) => {
      credit(account, rule, { points, owed, ...answer, sentMs, answeredMs: performance.now() });
    });
    return inTime(
      booked.finally(() => {
        account.asking = undefined;
      }),
    );
  };

  return {
    async take(name, subject) {
      const rule = rules[name];
      const key = keyOf(name, subject);
      for (;;) {
        const account = accountOf(accounts, key, rule);
        if (account.held > 0) return grantHeld(account, rule);
        if (account.isSpent) {
          if (restOf(account) > NEARLY_OVER_MS) return refuse(account, rule);
          await pause(restOf(account));
          continue;
        }
        if (!account.asking && !outage.mayCall()) return grantAlone(account, rule, processes);
        account.asking ??= takeBlock(key, account, rule);
        if (!(await account.asking)) return grantAlone(account, rule, processes);
      }
    },
    async giveBack(name, subject) {
      const key = keyOf(name, subject);
      const account = accounts.get(key);
      if (!account || account.granted === 0 || isOver(account)) return;
      account.granted -= 1;
      if (account.owed > 0) account.owed -= 1;
      else if (account.isSpent || !outage.mayCall()) account.held += 1;
      else if (await inTime(store.add(key, -1, rules[name].windowMs))) account.free += 1;
    },
    async [Symbol.asyncDispose]() {
      clearInterval(sweeping);
      await store[Symbol.asyncDispose]();
    },
  };
}

/** The subject's window under way, or a new one. What is being asked of the store belongs to the window it will answer with. */
function accountOf(accounts: LRUCache<string, Account>, key: string, rule: RateLimit): Account {
  const known = accounts.get(key);
  if (known && (known.asking || !isOver(known))) return known;
  const account = openAccount(rule, performance.now());
  accounts.set(key, account, { ttl: 2 * rule.windowMs });
  return account;
}

function isOver({ validUntilMs }: Account): boolean {
  return performance.now() >= validUntilMs;
}

function keyOf(name: string, subject: string): string {
  return `${name}:${sha256Of(subject)}`;
}
