import type { PageRead } from '../cursor.ts';
import type { ProviderAnswer } from '../http.ts';
import { ProviderError } from '../provider-error.ts';
import { isObject } from '../read.ts';
import { errorOf, isGood, isNotFound, type Thing } from './answers.ts';
import type { Client } from './client.ts';

/**
 * A page has 10 to 20 rows. A longer list is refused: part of a list must not pass for the whole.
 */
const MOST_PAGES = 50;

/** A list to read. `thing`: what Flutterwave calls its rows when there are none. */
export interface List {
  path: string;
  query: Record<string, string>;
  thing: Thing;
  stage: string;
  /** True: rows without an id are returned too, and what is no row is left out. */
  isTolerant?: boolean;
}

/**
 * Every row of a list, each once: new rows push others onto the next page. Throws `unknown` where
 * the list cannot be read to its end.
 */
export async function readList(client: Client, list: List): Promise<Record<string, unknown>[]> {
  const { stage } = list;
  const rows = new Map<string, Record<string, unknown>>();
  for (let page = 1; page <= MOST_PAGES; page++) {
    const before = rows.size;
    const read = await readPage(client, list, page);
    for (const row of read.rows) rows.set(`${row.id}`, row);
    const { pages } = read;
    if (pages === undefined ? rows.size === before : page >= pages) return [...rows.values()];
    if (rows.size === before)
      throw new ProviderError('unknown', stage, `page ${page} of ${pages} holds nothing new`);
  }
  throw new ProviderError('unknown', stage, `the list has more than ${MOST_PAGES} pages`);
}

/**
 * A page. `pages`: how many there are; undefined: not stated, and the list ends where nothing new
 * comes.
 */
export interface ListPage {
  rows: Record<string, unknown>[];
  pages: number | undefined;
  /** How many rows the list has; undefined where unstated. */
  total: number | undefined;
}

export async function readPage(
  client: Client,
  { path, query, thing, stage, isTolerant = false }: List,
  page: number,
): Promise<ListPage> {
  const answer = await client.get(pathOfPage(path, query, page), stage);
  const info =
    isObject(answer.json.meta) && isObject(answer.json.meta.page_info)
      ? answer.json.meta.page_info
      : {};
  return {
    rows: rowsOf(answer, { thing, stage, isTolerant }),
    pages: countIn(info.total_pages),
    total: countIn(info.total),
  };
}

export function pathOfPage(path: string, query: Record<string, string>, page: number): string {
  return `${path}?${new URLSearchParams({ ...query, page: String(page) })}`;
}

export function countIn(value: unknown): number | undefined {
  const count = Number(value ?? Number.NaN);
  return Number.isSafeInteger(count) ? count : undefined;
}

function rowsOf(
  answer: ProviderAnswer,
  { thing, stage, isTolerant }: Pick<List, 'thing' | 'stage' | 'isTolerant'>,
): Record<string, unknown>[] {
  if (isNotFound(answer, thing)) return [];
  if (!isGood(answer)) throw errorOf(answer, stage);
  const { data } = answer.json;
  if (Array.isArray(data) && isTolerant) return data.filter(isObject);
  if (Array.isArray(data) && data.every(isRow)) return data;
  throw new ProviderError('unknown', stage, 'the answer holds no list of rows with ids');
}

export function isRow(row: unknown): row is Record<string, unknown> {
  return isObject(row) && /^\d{1,20}$/.test(`${row.id}`);
}

/** What a page says of the list, for its cursor. */
export function pageRead({ rows, pages }: Omit<ListPage, 'total'>, page: number): PageRead {
  const [first] = rows;
  return {
    first: first && (isRow(first) ? `${first.id}` : JSON.stringify(first)),
    hasMore: pages === undefined ? undefined : page < pages,
  };
}
