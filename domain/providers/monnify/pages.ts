import { cursorAfter, positionAt } from '../cursor.ts';
import { type Deadline, deadlineOf, type ProviderAnswer } from '../http.ts';
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
  /** True: the list may come without Monnify's envelope, and what is no row is left out. */
  isTolerant?: boolean;
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
  { stage, path, query, isTolerant = false }: Listing,
  page: number,
  deadline: Deadline,
): Promise<{ rows: Record<string, unknown>[]; hasMore: boolean | undefined }> {
  const search = new URLSearchParams({ ...query, page: String(page), size: String(PAGE_SIZE) });
  const answer = await client.call({ method: 'GET', path: `${path}?${search}`, stage }, deadline);
  const body = bodyOf(answer) ?? (isTolerant ? bareBodyOf(answer) : undefined);
  if (!body) throw errorOf(answer, stage);
  const { content, last } = body;
  const rows = Array.isArray(content) ? content.filter(isObject) : undefined;
  if (!rows || (!isTolerant && rows.length < (content as unknown[]).length))
    throw new ProviderError('unknown', stage, 'the answer holds no list');
  return { rows, hasMore: typeof last === 'boolean' ? !last : undefined };
}

/** A page without an envelope. An answer with one says itself whether the call worked. */
function bareBodyOf({ status, json }: ProviderAnswer): Record<string, unknown> | undefined {
  return status === 200 && json.requestSuccessful === undefined && Array.isArray(json.content)
    ? json
    : undefined;
}
