import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../shared/units.ts';

/** A period of begun payments. ISO 8601. */
export interface Round {
  from: string;
  to: string;
  /** Null: the first page. */
  cursor: string | null;
  pages: number;
  /** It covers every charge that can still be paid. */
  isWhole: boolean;
}

export interface ListingProgress {
  round: Round | null;
  /** When the last one began, and its cost. */
  whole: { at: string; pages: number } | null;
  /** Listed payments not on record, by the provider's id, whose attempts were made due. */
  asked: Record<string, { times: number; nextAt: string }>;
  /** In a row. */
  failures: number;
}

const NOTHING: ListingProgress = { round: null, whole: null, asked: {}, failures: 0 };

/** Most payers pay within minutes of the charge's creation. */
const RECENT_MS = 30 * MINUTE_MS;
/** A payment may be under way when its charge ends. */
const AFTER_LIFETIME_MS = 2 * HOUR_MS;
/** One page in two seconds on average: a twentieth of what a provider allows. */
const PER_PAGE_MS = 2 * SECOND_MS;
const MOST_BETWEEN_WHOLE_MS = HOUR_MS;

export function beginRound(
  progress: ListingProgress | null,
  now: Date,
  lifetimeMs: number,
): ListingProgress & { round: Round } {
  const known = progress ?? NOTHING;
  const isWhole = known.whole === null || now.getTime() >= nextWholeMs(known.whole);
  const backMs = isWhole ? lifetimeMs + AFTER_LIFETIME_MS : RECENT_MS;
  const round = known.round ?? {
    from: new Date(now.getTime() - backMs).toISOString(),
    to: now.toISOString(),
    cursor: null,
    pages: 0,
    isWhole,
  };
  return { ...known, round };
}

/** A minute or less makes every round a whole one. */
function nextWholeMs({ at, pages }: { at: string; pages: number }): number {
  const betweenMs = Math.min(pages * PER_PAGE_MS, MOST_BETWEEN_WHOLE_MS);
  return Date.parse(at) + (betweenMs <= MINUTE_MS ? 0 : betweenMs);
}

export function endRound(progress: ListingProgress & { round: Round }): ListingProgress {
  const { to, pages, isWhole } = progress.round;
  return {
    ...progress,
    round: null,
    whole: isWhole ? { at: to, pages } : progress.whole,
    failures: 0,
  };
}

const WHILE_LIKELY_MS = MINUTE_MS;
const WHILE_IDLE_MS = 15 * MINUTE_MS;

/**
 * Soon while a payment is likely, at the connection's own moment of each period, so that
 * connections do not stay together for ever.
 */
export function nextRoundAt(now: Date, isPaymentLikely: boolean, connectionId: string): Date {
  const periodMs = isPaymentLikely ? WHILE_LIKELY_MS : WHILE_IDLE_MS;
  const sinceOwnMs = (now.getTime() - ownMomentMs(connectionId)) % periodMs;
  return new Date(now.getTime() + periodMs - sinceOwnMs);
}

function ownMomentMs(connectionId: string): number {
  const mix = (sum: number, letter: string) => (sum * 31 + letter.charCodeAt(0)) % WHILE_IDLE_MS;
  return [...connectionId].reduce(mix, 0);
}

const AFTER_FAILURES_MS = [1, 2, 5, 15, 30].map((minutes) => minutes * MINUTE_MS);

/** A provider that keeps failing is spared. */
export function nextRoundAfterFailure(now: Date, failures: number): Date {
  const waitMs = AFTER_FAILURES_MS[failures - 1] ?? AFTER_FAILURES_MS.at(-1)!;
  return new Date(now.getTime() + waitMs);
}

const MOST_ASKED = 500;

/**
 * One that stays unrecorded, whose answer contradicts the list, waits 1, 2, 4, … minutes, at most
 * 60.
 */
export function chooseToAsk(
  progress: ListingProgress,
  paymentIds: readonly string[],
  now: Date,
): { chosen: Set<string>; progress: ListingProgress } {
  const chosen = new Set<string>();
  const asked = new Map(Object.entries(progress.asked));
  for (const id of paymentIds) {
    const { times, nextAt } = asked.get(id) ?? { times: 0, nextAt: null };
    if (nextAt !== null && Date.parse(nextAt) > now.getTime()) continue;
    chosen.add(id);
    const waitMs = Math.min(2 ** times * MINUTE_MS, HOUR_MS);
    asked.delete(id); // the newest is the last
    asked.set(id, {
      times: Math.min(times + 1, 10),
      nextAt: new Date(now.getTime() + waitMs).toISOString(),
    });
  }
  const newest = [...asked].slice(-MOST_ASKED);
  return { chosen, progress: { ...progress, asked: Object.fromEntries(newest) } };
}
