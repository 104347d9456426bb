import type { ProviderAnswer } from '../http.ts';
import { ProviderError } from '../provider.ts';
import { isObject } from '../read.ts';
import { errorOf, isGood, isNotFound } from './answers.ts';
import type { Line } from './call.ts';

/** Flutterwave gives 10 to 20 rows a page. What is longer than this is not read: half a list would be taken for a whole one. */
const MOST_PAGES = 50;

/** A list to read, and what its rows are called when there is none. */
export interface List {
  path: string;
  query: Record<string, string>;
  thing: 'transaction' | 'refund' | 'chargeback';
  stage: string;
}

/** Every row of a list, each once: rows that are new meanwhile push others onto the next page. Throws `unknown` where it cannot be read whole. */
export async function readList(line: Line, { path, query, thing, stage }: List): Promise<Record<string, unknown>[]> {
  const rows = new Map<string, Record<string, unknown>>();
  for (let page = 1; page <= MOST_PAGES; page++) {
    const answer = await line.get(`${path}?${new URLSearchParams({ ...query, page: String(page) })}`, stage);
    const before = rows.size;
    for (const row of rowsOf(answer, thing, stage)) rows.set(`${row.id}`, row);
    const pages = pagesOf(answer);
    if (pages === undefined ? rows.size === before : page >= pages) return [...rows.values()];
    if (rows.size === before) throw new ProviderError('unknown', stage, `page ${page} of ${pages} holds nothing new`);
  }
  throw new ProviderError('unknown', stage, `the list has more than ${MOST_PAGES} pages`);
}

function rowsOf(answer: ProviderAnswer, thing: List['thing'], stage: string): Record<string, unknown>[] {
  if (isNotFound(answer, thing)) return [];
  if (!isGood(answer)) throw errorOf(answer, stage);
  const { data } = answer.json;
  if (Array.isArray(data) && data.every(isRow)) return data;
  throw new ProviderError('unknown', stage, 'the answer holds no list of rows with ids');
}

function isRow(row: unknown): row is Record<string, unknown> {
  return isObject(row) && /^\d{1,20}$/.test(`${row.id}`);
}

/** How many pages there are; undefined where it is not said: then the list ends with the page that brings nothing new. */
function pagesOf({ json }: ProviderAnswer): number | undefined {
  const info = isObject(json.meta) && isObject(json.meta.page_info) ? json.meta.page_info : {};
  const pages = Number(info.total_pages ?? Number.NaN);
  return Number.isSafeInteger(pages) ? pages : undefined;
}
