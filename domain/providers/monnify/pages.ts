import { pageNumberOf } from '../cursor.ts';
import { type CallOptions, ProviderError } from '../provider.ts';
import { isObject } from '../read.ts';
import type { Page } from '../settlements.ts';
import { bodyOf, errorOf } from './answers.ts';
import { type Client, deadlineOf } from './client.ts';

/** The most rows Monnify puts on a page. */
export const PAGE_SIZE = 100;

export interface Listing {
  /** For errors: which call this is. */
  stage: string;
  path: string;
  query: Record<string, string>;
}

/** One page of a list that is read over several calls. The cursor is a page number. */
export async function pageOf(
  client: Client,
  { stage, path, query }: Listing,
  cursor: string | null,
  options: CallOptions,
): Promise<Page<Record<string, unknown>>> {
  const page = pageNumberOf(cursor, 0, stage);
  const search = new URLSearchParams({ ...query, page: String(page), size: String(PAGE_SIZE) });
  const answer = await client.call(
    { method: 'GET', path: `${path}?${search}`, stage },
    deadlineOf(options),
  );
  const body = bodyOf(answer);
  if (!body) throw errorOf(answer, stage);
  const { records, last } = recordsOf(body, stage);
  return { rows: records, next: last ? null : String(page + 1) };
}

/** The rows of a page. Unless it says it is the last, another one follows, until one is empty. */
export function recordsOf(
  { content, last }: Record<string, unknown>,
  stage: string,
): { records: Record<string, unknown>[]; last: boolean } {
  if (!Array.isArray(content) || !content.every(isObject))
    throw new ProviderError('unknown', stage, 'the answer holds no list');
  return { records: content, last: last === true || content.length === 0 };
}
