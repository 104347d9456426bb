import { cursorAfter, positionAt } from '../cursor.ts';
import { deadlineOf } from '../http.ts';
import type { CallOptions } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { isObject, numericId } from '../read.ts';
import type { Page } from '../settlements.ts';
import { errorOf, isGood } from './answers.ts';
import type { Client } from './client.ts';

/** The most rows Paystack puts on a page. */
const perPage = 100;

export interface Listing {
  /** For errors: which call this is. */
  stage: string;
  path: string;
  query: Record<string, string>;
  /** True: what is no row is left out. */
  isTolerant?: boolean;
}

/** How far a list is read: to its end, or to a page after which no row is wanted. */
interface Extent {
  mostPages: number;
  isLast?: (rows: readonly Record<string, unknown>[]) => boolean;
}

/**
 * Every row of a list, each once. A list that does not state its pages ends where nothing new
 * comes. Throws `unknown` where it cannot be read to its end: a part is never returned.
 */
export async function rowsOf(
  client: Client,
  { mostPages, isLast = () => false, ...listing }: Listing & Extent,
  options: CallOptions,
): Promise<Record<string, unknown>[]> {
  const { stage } = listing;
  // New rows come first and push others on: a row may be on two pages, but none is skipped.
  const rows = new Map<string, Record<string, unknown>>();
  const deadline = deadlineOf(options);
  for (let page = 1; page <= mostPages; page++) {
    const before = rows.size;
    const { data, hasMore } = await readPage(client, listing, page, deadline);
    for (const row of data) rows.set(idOf(row.id, stage), row);
    const bringsNothing = rows.size === before;
    const isEnd = hasMore === false || (hasMore === undefined && bringsNothing);
    if (isEnd || isLast(data)) return [...rows.values()];
    if (bringsNothing)
      throw new ProviderError(
        'unknown',
        stage,
        `page ${page} holds nothing new, and more are stated`,
      );
  }
  throw new ProviderError('unknown', stage, `the list has more than ${mostPages} pages`);
}

/** One page of a list that is read over several calls. Its rows may lack anything. */
export async function pageOf(
  client: Client,
  listing: Listing,
  cursor: string | null,
  options: CallOptions,
): Promise<Page<Record<string, unknown>>> {
  const position = positionAt(cursor, 1, listing.stage);
  const { data, hasMore } = await readPage(client, listing, position.page, options);
  const first = data[0] && (numericId(data[0].id) ?? JSON.stringify(data[0]));
  return { rows: data, next: cursorAfter(position, { first, hasMore }, listing.stage) };
}

async function readPage(
  client: Client,
  { stage, path, query, isTolerant = false }: Listing,
  page: number,
  options: CallOptions,
) {
  const search = new URLSearchParams({ ...query, perPage: String(perPage), page: String(page) });
  const answer = await client({ ...options, method: 'GET', stage }, `${path}?${search}`);
  if (!isGood(answer)) throw errorOf(answer, stage);
  const { data: all, meta } = answer.json;
  const data = Array.isArray(all) ? all.filter(isObject) : undefined;
  if (!data || (!isTolerant && data.length < (all as unknown[]).length))
    throw new ProviderError('unknown', stage, 'the answer holds no list');
  return { data, hasMore: hasMoreAfter(page, meta) };
}

/** Whether more pages follow; undefined where the list does not state how many it has. */
function hasMoreAfter(page: number, meta: unknown): boolean | undefined {
  const pageCount = isObject(meta) ? meta.pageCount : undefined;
  return typeof pageCount === 'number' ? page < pageCount : undefined;
}

/**
 * Ids are unsigned 64-bit. Throws `unknown` where there is none: records could not be told apart.
 */
export function idOf(value: unknown, stage: string): string {
  const id = numericId(value);
  if (id !== null) return id;
  throw new ProviderError('unknown', stage, 'a record carries no id');
}

/**
 * The payment of a record: some answers hold the whole transaction, others its id. Null where it is
 * not named.
 */
export function paymentIdOf(
  { transaction }: Record<string, unknown>,
  stage: string,
): string | null {
  const id = isObject(transaction) ? transaction.id : transaction;
  return id === null || id === undefined ? null : idOf(id, stage);
}
