import { cursorAfter, positionAt } from '../cursor.ts';
import { type Deadline, deadlineOf } from '../http.ts';
import type { CallOptions } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { isObject } from '../read.ts';
import type { Page } from '../settlements.ts';
import { bodyOf, errorOf } from './answers.ts';
import type { Client } from './client.ts';

/** The most rows Monnify puts on a page. */
export const PAGE_SIZE = 100;

export interface Listing {
  /** For errors: which call this is. */
  stage: string;
  path: string;
  query: Record<string, string>;
}

/** One page of a list that is read over several calls. */
export async function pageOf(
  client: Client,
  listing: Listing,
  cursor: string | null,
  options: CallOptions,
): Promise<Page<Record<string, unknown>>> {
  const position = positionAt(cursor, 0, listing.stage);
  const { rows, hasMore } = await readPage(client, listing, position.page, deadlineOf(options));
  const first = rows[0] && `${rows[0].transactionReference ?? JSON.stringify(rows[0])}`;
  return { rows, next: cursorAfter(position, { first, hasMore }, listing.stage) };
}

/** A page. `hasMore`: whether it says that more follow; undefined: it does not say. */
export async function readPage(
  client: Client,
  { stage, path, query }: Listing,
  page: number,
  deadline: Deadline,
): Promise<{ rows: Record<string, unknown>[]; hasMore: boolean | undefined }> {
  const search = new URLSearchParams({ ...query, page: String(page), size: String(PAGE_SIZE) });
  const answer = await client.call({ method: 'GET', path: `${path}?${search}`, stage }, deadline);
  const body = bodyOf(answer);
  if (!body) throw errorOf(answer, stage);
  const { content, last } = body;
  if (!Array.isArray(content) || !content.every(isObject))
    throw new ProviderError('unknown', stage, 'the answer holds no list');
  return { rows: content, hasMore: typeof last === 'boolean' ? !last : undefined };
}
