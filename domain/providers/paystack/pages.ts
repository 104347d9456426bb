import { pageNumberOf } from '../cursor.ts';
import type { Page } from '../payouts.ts';
import { type CallOptions, ProviderError } from '../provider.ts';
import { isObject } from '../read.ts';
import { errorOf, isGood } from './answers.ts';
import type { PaystackCall } from './call.ts';

/** The most rows Paystack puts on a page. */
const perPage = 100;

export interface Listing {
  /** For errors: which call this is. */
  stage: string;
  path: string;
  query: Record<string, string>;
}

/** Every row of a list, each once. Throws `unknown` where it has more pages than are read: a list with a hole is never given. */
export async function rowsOf(
  call: PaystackCall,
  { mostPages, ...listing }: Listing & { mostPages: number },
  options: CallOptions,
): Promise<Record<string, unknown>[]> {
  const { stage } = listing;
  // What is new comes first and moves the rest on: a row may stand on two pages, but none is passed over.
  const rows = new Map<string, Record<string, unknown>>();
  for (let page = 1; page <= mostPages; page++) {
    const { data, last } = await readPage(call, listing, page, options);
    for (const row of data) rows.set(idOf(row.id, stage), row);
    if (last) return [...rows.values()];
  }
  throw new ProviderError('unknown', stage, `the list has more than ${mostPages} pages`);
}

/** One page of a list that is walked across calls: its cursor is the number of a page. */
export async function pageOf(
  call: PaystackCall,
  listing: Listing,
  cursor: string | null,
  options: CallOptions,
): Promise<Page<Record<string, unknown>>> {
  const page = pageNumberOf(cursor, 1, listing.stage);
  const { data, last } = await readPage(call, listing, page, options);
  return { rows: data, next: last ? null : String(page + 1) };
}

async function readPage(
  call: PaystackCall,
  { stage, path, query }: Listing,
  page: number,
  { timeoutMs }: CallOptions,
) {
  const search = new URLSearchParams({ ...query, perPage: String(perPage), page: String(page) });
  const answer = await call({ method: 'GET', timeoutMs, stage }, `${path}?${search}`);
  if (!isGood(answer)) throw errorOf(answer, stage);
  const { data, meta } = answer.json;
  if (!Array.isArray(data) || !data.every(isObject))
    throw new ProviderError('unknown', stage, 'the answer holds no list');
  return { data, last: data.length === 0 || isLast(page, meta) };
}

/** Whether the list says so itself. One that does not ends with an empty page: a short one may only mean that fewer rows fit. */
function isLast(page: number, meta: unknown): boolean {
  const pageCount = isObject(meta) ? meta.pageCount : undefined;
  return typeof pageCount === 'number' && pageCount <= page;
}

/** Ids are unsigned 64-bit. One that is missing cannot tell two things apart. */
export function idOf(value: unknown, stage: string): string {
  const id = typeof value === 'number' ? String(value) : value;
  if (typeof id === 'string' && /^\d{1,20}$/.test(id)) return id;
  throw new ProviderError('unknown', stage, 'a record carries no id');
}

/** The payment a record belongs to: its transaction stands there whole in some answers, as its id in others. Null where it is not named. */
export function paymentIdOf(
  { transaction }: Record<string, unknown>,
  stage: string,
): string | null {
  const id = isObject(transaction) ? transaction.id : transaction;
  return id === null || id === undefined ? null : idOf(id, stage);
}
