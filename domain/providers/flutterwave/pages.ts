import type { ProviderAnswer } from '../http.ts';
import { ProviderError } from '../provider.ts';
import { isObject } from '../read.ts';
import { errorOf, isGood, isNotFound, type Thing } from './answers.ts';
import type { Line } from './call.ts';

/** Flutterwave gives 10 to 20 rows a page. What is longer than this is not read: half a list would be taken for a whole one. */
const MOST_PAGES = 50;

/** A list to read, and what its rows are called when there is none. */
export interface List {
  path: string;
  query: Record<string, string>;
  thing: Thing;
  stage: string;
}

/** Every row of a list, each once: rows that are new meanwhile push others onto the next page. Throws `unknown` where it cannot be read whole. */
export async function readList(line: Line, list: List): Promise<Record<string, unknown>[]> {
  const { stage } = list;
  const rows = new Map<string, Record<string, unknown>>();
  for (let page = 1; page <= MOST_PAGES; page++) {
    const before = rows.size;
    const read = await readPage(line, list, page);
    for (const row of read.rows) rows.set(`${row.id}`, row);
    const { pages } = read;
    if (pages === undefined ? rows.size === before : page >= pages) return [...rows.values()];
    if (rows.size === before)
      throw new ProviderError('unknown', stage, `page ${page} of ${pages} holds nothing new`);
  }
  throw new ProviderError('unknown', stage, `the list has more than ${MOST_PAGES} pages`);
}

/** A page of a list. `pages`: how many there are; undefined where it is not said, and then the list ends where nothing new comes. */
export interface ListPage {
  rows: Record<string, unknown>[];
  pages: number | undefined;
}

export async function readPage(
  line: Line,
  { path, query, thing, stage }: List,
  page: number,
): Promise<ListPage> {
  const answer = await line.get(pathOfPage(path, query, page), stage);
  const info =
    isObject(answer.json.meta) && isObject(answer.json.meta.page_info)
      ? answer.json.meta.page_info
      : {};
  return { rows: rowsOf(answer, thing, stage), pages: pagesIn(info.total_pages) };
}

export function pathOfPage(path: string, query: Record<string, string>, page: number): string {
  return `${path}?${new URLSearchParams({ ...query, page: String(page) })}`;
}

export function pagesIn(totalPages: unknown): number | undefined {
  const pages = Number(totalPages ?? Number.NaN);
  return Number.isSafeInteger(pages) ? pages : undefined;
}

function rowsOf(
  answer: ProviderAnswer,
  thing: List['thing'],
  stage: string,
): Record<string, unknown>[] {
  if (isNotFound(answer, thing)) return [];
  if (!isGood(answer)) throw errorOf(answer, stage);
  const { data } = answer.json;
  if (Array.isArray(data) && data.every(isRow)) return data;
  throw new ProviderError('unknown', stage, 'the answer holds no list of rows with ids');
}

export function isRow(row: unknown): row is Record<string, unknown> {
  return isObject(row) && /^\d{1,20}$/.test(`${row.id}`);
}

/** Where a walk over the pages of a list stands: the page to read, and how the page before it began. */
export interface Place {
  page: number;
  lastBeganWith: string | undefined;
}

export function placeAt(cursor: string | null): Place {
  const [page, lastBeganWith] = (cursor ?? '1').split(':');
  return { page: Number(page), lastBeganWith };
}

/** The cursor behind a page; null: it is the last. Throws `unknown` where a list that says it goes on does not. */
export function cursorAfter(
  { page, lastBeganWith }: Place,
  { rows, pages }: ListPage,
  stage: string,
): string | null {
  const beganWith = rows[0] === undefined ? undefined : `${rows[0].id}`;
  const isOver =
    pages === undefined ? beganWith === undefined || beganWith === lastBeganWith : page >= pages;
  if (isOver) return null;
  if (beganWith !== undefined) return `${page + 1}:${beganWith}`;
  throw new ProviderError('unknown', stage, `page ${page} of ${pages} holds nothing`);
}
