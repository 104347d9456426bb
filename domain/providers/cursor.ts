import { ProviderError } from './provider-error.ts';

/** A position in a list: the page to read, and the first row of the page before it. */
export interface Position {
  page: number;
  /** Undefined where it is the first page. */
  previousFirst: string | undefined;
}

/** The position in a cursor. Throws `unknown` for any other text, rather than start again. */
export function positionAt(cursor: string | null, first: 0 | 1, stage: string): Position {
  if (cursor === null) return { page: first, previousFirst: undefined };
  const [, page, previousFirst] = /^([1-9]\d{0,5}):(.+)$/s.exec(cursor) ?? [];
  if (page !== undefined) return { page: Number(page), previousFirst };
  throw new ProviderError('unknown', stage, 'the cursor is not one of ours');
}

/** As much of a row's description as a cursor carries. */
const MARK_LENGTH = 200;

/** What a page says of the list. */
export interface PageRead {
  /** What tells its first row from others; undefined: the page is empty. */
  first: string | undefined;
  /** True: the list says that more pages follow. Undefined: it does not say. */
  hasMore: boolean | undefined;
}

/**
 * The cursor after a page; null: it is the last. A list that does not say whether more pages follow
 * ends with a page that is empty or begins as the one before. Throws `unknown` where more pages are
 * promised after such a page: a part must not pass for the whole.
 */
export function cursorAfter(
  { page, previousFirst }: Position,
  { first, hasMore }: PageRead,
  stage: string,
): string | null {
  const mark = first?.slice(0, MARK_LENGTH);
  const bringsNothing = mark === undefined || mark === previousFirst;
  if (bringsNothing && hasMore === true)
    throw new ProviderError(
      'unknown',
      stage,
      `page ${page} holds nothing new, and more are stated`,
    );
  return bringsNothing || hasMore === false ? null : `${page + 1}:${mark}`;
}
