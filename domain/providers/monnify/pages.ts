import { pageNumberOf } from '../cursor.ts';
import type { Page } from '../payouts.ts';
import { type CallOptions, ProviderError } from '../provider.ts';
import { isObject } from '../read.ts';
import { bodyOf, errorOf } from './answers.ts';
import { patienceOf, type Session } from './session.ts';

/** The most rows Monnify puts on a page. */
export const PAGE_SIZE = 100;

export interface Listing {
  /** For errors: which call this is. */
  stage: string;
  path: string;
  query: Record<string, string>;
}

/** One page of a list that is walked across calls: its cursor is the number of a page. */
export async function pageOf(
  session: Session,
  { stage, path, query }: Listing,
  cursor: string | null,
  options: CallOptions,
): Promise<Page<Record<string, unknown>>> {
  const page = pageNumberOf(cursor, 0, stage);
  const search = new URLSearchParams({ ...query, page: String(page), size: String(PAGE_SIZE) });
  const answer = await session.call(
    { method: 'GET', path: `${path}?${search}`, stage },
    patienceOf(options),
  );
  const body = bodyOf(answer);
  if (!body) throw errorOf(answer, stage);
  const { records, last } = recordsOf(body, stage);
  return { rows: records, next: last ? null : String(page + 1) };
}

/** What a page holds. One that does not say it is the last is followed by another, until one is empty. */
export function recordsOf(
  { content, last }: Record<string, unknown>,
  stage: string,
): { records: Record<string, unknown>[]; last: boolean } {
  if (!Array.isArray(content) || !content.every(isObject))
    throw new ProviderError('unknown', stage, 'the answer holds no list');
  return { records: content, last: last === true || content.length === 0 };
}
