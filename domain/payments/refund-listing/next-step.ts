import type { RowOf } from '../../shared/columns.ts';
import type { RefundListing } from '../entities/refund-listing.ts';

/** How far the copy of an account's refunds goes. */
export type Listing = RowOf<typeof RefundListing>;

/** A page that was read, and what it brought. */
export interface PageFacts {
  page: number;
  /** How many of its refunds this generation did not list before. */
  added: number;
  /** As the provider states it; undefined: unstated. */
  total: number | undefined;
  /** True: no page follows. */
  isLast: boolean;
  /** True: in this walk every refund was created before those read earlier, or with them. */
  isNewestFirst: boolean;
  /** When the last refund of the page was created; null where unstated, or the page is empty. */
  lastCreatedAt: Date | null;
  /** How often this walk was begun again. */
  restarts: number;
}

/**
 * What follows from a page. `current`: the copy holds every refund that was listed when the page
 * was read. `page`: another page is read. `walked`: every page of this generation was read once;
 * it is walked through again, for what came meanwhile. `whole`: the same, and what the provider
 * states as its total is something else. `anew`: a new generation begins.
 */
export type Step =
  | { type: 'current' | 'walked' | 'whole' | 'anew' }
  | { type: 'page'; page: number; isRestart?: true };

/** Refunds may come while pages are read: a total that stays wrong over these walks is no total. */
const MOST_WALKS = 3;
/** Other workers add what they read meanwhile, so that more is known than a page states. */
const MOST_RESTARTS = 5;
/** A refund may be listed some time after it is created. */
const OVERLAP_MS = 10 * 60_000;

/**
 * Decides what follows from a page. The total decides where it can: a copy that holds as many
 * refunds as are listed holds all of them, in whatever order they are listed and however pages
 * shift. Otherwise a walk ends at refunds that are older than the time at which the copy was whole,
 * while the newest come first; a list in another order is read to its end. Pure.
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

/** What is missing came while pages were read, and the newest come first. */
const fromTheStart: Step = { type: 'page', page: 1, isRestart: true };

function isBefore({ added, lastCreatedAt }: PageFacts, wholeAt: Date): boolean {
  return (
    added === 0 &&
    lastCreatedAt !== null &&
    lastCreatedAt.getTime() < wholeAt.getTime() - OVERLAP_MS
  );
}

/** After the first page, what an earlier walk read before it was cut short is left out. */
function following({ next_page: nextPage }: Listing, { page, restarts }: PageFacts): Step {
  const isResumed = page === 1 && restarts === 0;
  return { type: 'page', page: isResumed ? Math.max(2, nextPage) : page + 1 };
}
