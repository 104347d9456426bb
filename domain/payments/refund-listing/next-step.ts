import type { RowOf } from '../../shared/columns.ts';
import type { RefundListing } from '../entities/refund-listing.ts';

export type Listing = RowOf<typeof RefundListing>;

export interface PageFacts {
  page: number;
  /** New to this generation. */
  added: number;
  total: number | undefined;
  isLast: boolean;
  /** Within this walk. */
  isNewestFirst: boolean;
  /** The time of the page's last refund. */
  lastCreatedAt: Date | null;
  restarts: number;
}

/**
 * `current`: the copy is complete. `walked`: all pages were read once, and are walked again for
 * what came meanwhile. `whole`: also, and the stated total is no total. `anew`: a new generation
 * begins.
 */
export type Step =
  | { type: 'current' | 'walked' | 'whole' | 'anew' }
  | { type: 'page'; page: number; isRestart?: true };

/** A total that stays wrong over these walks is no total. */
const MOST_WALKS = 3;
/** Other workers add meanwhile, so that more is known than a page states. */
const MOST_RESTARTS = 5;
/** A refund may be listed late. */
const OVERLAP_MS = 10 * 60_000;

/**
 * A copy of as many refunds as the stated total holds all, in whatever order. Without a total, a
 * walk ends at refunds older than the last whole copy, if the newest come first. Pure.
 */
export function nextStep(listing: Listing, facts: PageFacts): Step {
  return listing.whole_at === null
    ? stepOfFirstWalks(listing, facts)
    : stepOfUpdate(listing, listing.whole_at, facts);
}

function stepOfFirstWalks(listing: Listing, { page, total, isLast }: PageFacts): Step {
  const isAll = total === listing.known_count;
  if (isAll && (isLast || listing.walks > 1)) return { type: 'current' };
  if (!isLast) return { type: 'page', page: page + 1 };
  return { type: total === undefined || listing.walks >= MOST_WALKS ? 'whole' : 'walked' };
}

function stepOfUpdate(listing: Listing, wholeAt: Date, facts: PageFacts): Step {
  const { added, total, isLast, restarts } = facts;
  if (!listing.trusts_total || total === undefined) {
    const isDone = isLast || (facts.isNewestFirst && isBefore(facts, wholeAt));
    return isDone ? { type: 'current' } : following(listing, facts);
  }
  if (listing.known_count === total) return { type: 'current' };
  if (listing.known_count > total)
    return restarts < MOST_RESTARTS ? fromTheStart : { type: 'anew' };
  if (restarts === 0) return isLast ? fromTheStart : following(listing, facts);
  return added > 0 && !isLast ? following(listing, facts) : { type: 'anew' };
}

/** What is missing came meanwhile, and the newest come first. */
const fromTheStart: Step = { type: 'page', page: 1, isRestart: true };

function isBefore({ added, lastCreatedAt }: PageFacts, wholeAt: Date): boolean {
  return (
    added === 0 &&
    lastCreatedAt !== null &&
    lastCreatedAt.getTime() < wholeAt.getTime() - OVERLAP_MS
  );
}

/** Leaves out what an earlier, cut-short walk read. */
function following({ next_page: nextPage }: Listing, { page, restarts }: PageFacts): Step {
  const isResumed = page === 1 && restarts === 0;
  return { type: 'page', page: isResumed ? Math.max(2, nextPage) : page + 1 };
}
