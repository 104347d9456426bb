import { errorOf, isGood, rowsIn } from '../adapter/answers.ts';
import type { ListClient } from '../adapter/client.ts';
import type { ProviderAnswer } from '../adapter/http.ts';
import type { List } from '../adapter/lists.ts';
import { isObject, numericId, type Row } from '../adapter/read.ts';
import { answerForm, isNotFound, type Thing } from './answers.ts';

interface Listing {
  path: string;
  query: Record<string, string>;
  /** What Flutterwave calls its rows when there are none. */
  thing: Thing;
  /** True: what is no row is left out, and rows need no id. */
  isTolerant?: boolean;
  /** Set: the list is streamed, and these fields of its rows are kept. */
  fields?: readonly string[];
}

/** A page has 10 to 20 rows. */
const MOST_ROWS = 1_000;

export function listOf(client: ListClient, listing: Listing): List {
  return {
    firstPage: 1,
    mostPages: 50,
    keyOf: ({ id }) => numericId(id) ?? undefined,
    read: (page) => readPage(client, listing, page),
  };
}

/** A page, and what it says of the list; undefined where it does not say. */
export async function readPage(client: ListClient, listing: Listing, page: number) {
  const { path, query, fields } = listing;
  const search = new URLSearchParams({ ...query, page: String(page) });
  const answer = await (fields
    ? client.list(`${path}?${search}`, { list: 'data', fields, skip: 0, most: MOST_ROWS })
    : client.get(`${path}?${search}`));
  const { meta } = answer.json;
  const info = isObject(meta) && isObject(meta.page_info) ? meta.page_info : {};
  const pages = countIn(info.total_pages);
  return {
    rows: rowsOf(answer, listing),
    hasMore: pages === undefined ? undefined : page < pages,
    total: countIn(info.total),
  };
}

function countIn(value: unknown): number | undefined {
  const count = Number(value ?? Number.NaN);
  return Number.isSafeInteger(count) ? count : undefined;
}

/** `rows`: those of a streamed answer. More of them than fit a page are no page. */
function rowsOf(
  answer: ProviderAnswer & { rows?: Row[] | undefined; hasMore?: boolean },
  { thing, isTolerant }: Listing,
): Row[] {
  const { rows = answer.json.data, hasMore = false } = answer;
  const isEmpty = !Array.isArray(rows) || rows.length === 0;
  if (isEmpty && isNotFound(answer, thing)) return [];
  if (!isGood(answerForm, answer)) throw errorOf(answerForm, answer);
  return rowsIn(
    hasMore ? undefined : rows,
    isTolerant ? 'tolerant' : ({ id }) => numericId(id) !== null,
  );
}
