import type { Provider } from '../../providers/port/provider.ts';
import { onlyProviderError, ProviderError } from '../../providers/port/provider-error.ts';
import type { AccountRefunds } from '../../providers/port/refund.ts';
import type { InTx, Tx } from '../../shared/tx.ts';
import { type Listing, nextStep, type PageFacts, type Step } from './next-step.ts';
import { beginGeneration, countWalk, markWhole, openListing, recordPage } from './store.ts';

export interface CopyContext {
  inTx: InTx;
  clock: () => Date;
  provider: Provider;
  connectionId: string;
  timeoutMs: () => number;
  mayRead: (pagesRead: number) => boolean;
}

export interface CopyUpdate {
  /** `behind`: the next update continues. */
  result: 'current' | 'behind' | ProviderError;
  added: number;
}

/** Keeps the list short that a generation reads. */
const GENERATION_MS = 7 * 24 * 3_600_000;
/** For refunds listed late. */
const LISTED_LATE_MS = 3 * 24 * 3_600_000;

/**
 * Reads pages back to `since`, newest first, until the copy holds as many refunds as are listed.
 * Any number of workers may update it at once.
 */
export async function updateCopy(context: CopyContext, since: Date): Promise<CopyUpdate> {
  const { clock } = context;
  let listing = await context.inTx((tx) => openListing(tx, context.connectionId, since));
  if (since < listing.covered_from)
    listing = await context.inTx((tx) => beginGeneration(tx, listing, earlierThan(since)));
  let walk = newWalk(listing, clock());
  let added = 0;
  for (let pagesRead = 0; context.mayRead(pagesRead); pagesRead++) {
    const page = await readPage(context, listing, walk.page);
    if (page instanceof ProviderError) return { result: page, added };
    const recorded = await context.inTx((tx) => recordPage(tx, listing, walk.page, page.rows));
    if (!recorded) return { result: 'behind', added };
    added += recorded.added;
    listing = recorded;
    const facts = factsOf(page, walk, recorded.added);
    if (facts instanceof ProviderError) return { result: facts, added };
    const step = nextStep(listing, facts);
    if (step.type === 'current') {
      const trustsTotal = facts.total === listing.known_count;
      await context.inTx((tx) => markWhole(tx, listing, { wholeAt: walk.begunAt, trustsTotal }));
      return { result: 'current', added };
    }
    listing = await context.inTx((tx) => follow(tx, listing, step));
    if (step.type !== 'page') walk = newWalk(listing, clock());
    else if (step.isRestart) walk = newWalk(listing, clock(), walk.restarts + 1);
    else walk = nextPage(walk, page, step.page);
  }
  return { result: 'behind', added };
}

/** Renews an old generation of a whole copy. What was created before is in the copy already. */
export async function renewGeneration(context: CopyContext): Promise<boolean> {
  const now = context.clock();
  const listing = await context.inTx((tx) => openListing(tx, context.connectionId, now));
  const ageMs = now.getTime() - listing.begun_at.getTime();
  if (listing.whole_at === null || ageMs < GENERATION_MS) return false;
  const from = new Date(listing.whole_at.getTime() - LISTED_LATE_MS);
  await context.inTx((tx) => beginGeneration(tx, listing, from));
  return true;
}

/** So that not each older payment lengthens the list once more. */
function earlierThan(since: Date): Date {
  return new Date(since.getTime() - 30 * 24 * 3_600_000);
}

async function follow(tx: Tx, listing: Listing, { type }: Step): Promise<Listing> {
  if (type === 'anew') return beginGeneration(tx, listing, listing.listed_from);
  if (type === 'page') return listing;
  if (type === 'walked') await countWalk(tx, listing);
  else await markWhole(tx, listing, { wholeAt: listing.begun_at, trustsTotal: false });
  return openListing(tx, listing.connection_id, listing.listed_from);
}

interface Walk {
  begunAt: Date;
  page: number;
  restarts: number;
  previousFirst: string | undefined;
  previousCount: number;
  order: { isNewestFirst: boolean; lastAt: Date | null };
}

/** Continues where the last update ended. */
function newWalk(listing: Listing, begunAt: Date, restarts = 0): Walk {
  return {
    begunAt,
    page: listing.whole_at === null ? listing.next_page : 1,
    restarts,
    previousFirst: undefined,
    previousCount: 0,
    order: { isNewestFirst: true, lastAt: null },
  };
}

function nextPage(walk: Walk, { rows }: AccountRefunds, page: number): Walk {
  return {
    ...walk,
    page,
    previousFirst: rows[0]?.providerRefundId,
    previousCount: rows.length,
    order: orderAfter(walk.order, rows),
  };
}

function orderAfter(order: Walk['order'], rows: AccountRefunds['rows']): Walk['order'] {
  return rows.reduce(
    ({ isNewestFirst, lastAt }, { createdAt }) => ({
      isNewestFirst:
        isNewestFirst && createdAt !== null && (lastAt === null || createdAt <= lastAt),
      lastAt: createdAt,
    }),
    order,
  );
}

/** An error where a page promises more and brings nothing. */
function factsOf(
  accountRefunds: AccountRefunds,
  walk: Walk,
  added: number,
): PageFacts | ProviderError {
  const { rows, hasMore } = accountRefunds;
  const { page, restarts, previousFirst, order } = walk;
  const first = rows[0]?.providerRefundId;
  const bringsNothing = first === undefined || first === previousFirst;
  if (bringsNothing && hasMore === true)
    return new ProviderError(
      'unknown',
      STAGE,
      `page ${page} holds nothing new, and more are stated`,
    );
  const { isNewestFirst, lastAt } = orderAfter(order, rows);
  return {
    ...{ page, added, restarts, isNewestFirst },
    total: credibleTotal(accountRefunds, walk),
    isLast: hasMore === false || (hasMore === undefined && bringsNothing),
    lastCreatedAt: rows.length === 0 ? null : lastAt,
  };
}

/** A total below what was read may be that of the page alone. */
function credibleTotal({ rows, total, hasMore }: AccountRefunds, { page, previousCount }: Walk) {
  if (total === undefined || hasMore === undefined) return undefined;
  const readCount = (page - 1) * previousCount + rows.length;
  return total < readCount + (hasMore ? 1 : 0) ? undefined : total;
}

const STAGE = 'list refunds';

function readPage(
  { provider, timeoutMs }: CopyContext,
  { listed_from: from }: Listing,
  page: number,
): Promise<AccountRefunds | ProviderError> {
  return provider.listAccountRefunds!({ from, page }, { timeoutMs: timeoutMs() }).catch(
    onlyProviderError,
  );
}
