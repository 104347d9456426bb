import { pageNumberOf } from '../cursor.ts';
import { type CallOptions, ProviderError } from '../provider.ts';
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
}

/**
 * Every row of a list, each once. Throws `unknown` where it has more pages than are read: an
 * incomplete list is never returned.
 */
export async function rowsOf(
  client: Client,
  { mostPages, ...listing }: Listing & { mostPages: number },
  options: CallOptions,
): Promise<Record<string, unknown>[]> {
  const { stage } = listing;
  // New rows come first and push others on: a row may be on two pages, but none is skipped.
  const rows = new Map<string, Record<string, unknown>>();
  for (let page = 1; page <= mostPages; page++) {
    const { data, last } = await readPage(client, listing, page, options);
    for (const row of data) rows.set(idOf(row.id, stage), row);
    if (last) return [...rows.values()];
  }
  throw new ProviderError('unknown', stage, `the list has more than ${mostPages} pages`);
}

/** One page of a list that is read over several calls. The cursor is a page number. */
export async function pageOf(
  client: Client,
  listing: Listing,
  cursor: string | null,
  options: CallOptions,
): Promise<Page<Record<string, unknown>>> {
  const page = pageNumberOf(cursor, 1, listing.stage);
  const { data, last } = await readPage(client, listing, page, options);
  return { rows: data, next: last ? null : String(page + 1) };
}

async function readPage(
  client: Client,
  { stage, path, query }: Listing,
  page: number,
  { timeoutMs }: CallOptions,
) {
  const search = new URLSearchParams({ ...query, perPage: String(perPage), page: String(page) });
  const answer = await client({ method: 'GET', timeoutMs, stage }, `${path}?${search}`);
  if (!isGood(answer)) throw errorOf(answer, stage);
  const { data, meta } = answer.json;
  if (!Array.isArray(data) || !data.every(isObject))
    throw new ProviderError('unknown', stage, 'the answer holds no list');
  return { data, last: data.length === 0 || isLast(page, meta) };
}

/**
 * Whether the list says so. Otherwise it ends with an empty page: a short page may not be the last.
 */
function isLast(page: number, meta: unknown): boolean {
  const pageCount = isObject(meta) ? meta.pageCount : undefined;
  return typeof pageCount === 'number' && pageCount <= page;
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
