import { type Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import type { Response } from 'express';
import { BEYOND_EVERY_ID, type Page } from '../../http/cursor.ts';
import type { Route } from '../../http/route.ts';
import { type Filter, filledFields } from '../lists.ts';
import type { DashboardRequest } from '../request.ts';

/** A file to download. */
export interface Export {
  /** Below `/dashboard`. */
  path: string;
  /** A wrong filter is refused before anything is sent. */
  send: (request: DashboardRequest, response: Response) => Promise<void>;
}

interface ListExport<Row> {
  path: string;
  name: string;
  route: Route;
  filters: readonly string[];
  /** What the route is asked, where the list's form has other fields. */
  queryOf?: (filter: Filter) => Filter;
  columns: readonly Column<Row>[];
  /** Adds what the list of the API does not say, for the rows of a page. */
  // biome-ignore lint/suspicious/noExplicitAny: each export knows the schema of its route.
  describe?: (request: DashboardRequest, rows: readonly any[]) => Promise<Row[]>;
}

/** Null is an empty cell. */
export type Column<Row> = readonly [
  title: string,
  cell: (row: Row, formats: CellFormats) => string | number | null,
];

export interface CellFormats {
  /** ISO 8601 as `2026-11-22 14:05`, in the business's time zone. */
  localTime: (iso: string | null) => string | null;
  /** Kobo as naira. Cells of columns that end in `_naira` have two decimals: `1500.00`. */
  naira: (amountKobo: number | null) => number | null;
}

/** May run as a formula: behind blanks, and behind the semicolon that separates cells in places. */
const FORMULA = /^(?:[\s;]*[=+\-@＝＋－＠]|[\t\r;])/;

/**
 * Computes nothing, so it is written as it is and programs read it back unchanged. A spreadsheet
 * makes a number of `+2348031234567`, and leaves `+234 803 123 4567` a text: files have both.
 */
const PHONE = /^\+\d[\d ]{6,20}$/;

const PAGE = '100';

/** Everything that a list of the API finds, which is read page after page. */
export function listExport<Row>({ path, ...list }: ListExport<Row>): Export {
  const { name, route, filters, queryOf = (filter) => filter, columns } = list;
  const { describe = async (_, rows) => [...rows] } = list;
  return {
    path,
    async send(request, response) {
      const query = { ...queryOf(filledFields(request.all, filters)), limit: PAGE };
      const input = { params: request.params, query };
      const first = await request.call(route, input);
      const pages = pagesFrom<Row>(request, route, input, first);
      await sendCsv(
        request,
        response,
        name,
        columns,
        rowsOf(pages, (rows) => describe(request, rows)),
      );
    },
  };
}

interface StoredExport<Row> extends Pick<ListExport<Row>, 'path' | 'name' | 'columns'> {
  /** Newest first. */
  read: (request: DashboardRequest, page: Page) => Promise<Row[]>;
}

/** Everything in a list that is not in the API. */
export function storedExport<Row extends { id: string }>(list: StoredExport<Row>): Export {
  const { path, name, columns, read } = list;
  async function* pages(request: DashboardRequest) {
    let before = BEYOND_EVERY_ID;
    for (;;) {
      const page = await read(request, { before, limit: Number(PAGE) });
      yield page;
      if (page.length < Number(PAGE)) return;
      before = page.at(-1)!.id;
    }
  }
  return {
    path,
    send: (request, response) =>
      sendCsv(
        request,
        response,
        name,
        columns,
        rowsOf(pages(request), async (rows) => rows),
      ),
  };
}

async function* rowsOf<Row>(
  pages: AsyncIterable<Row[]>,
  describe: (rows: Row[]) => Promise<Row[]>,
): AsyncGenerator<Row> {
  for await (const page of pages) yield* await describe(page);
}

/** Formulas are escaped. */
export function sendCsv<Row>(
  request: DashboardRequest,
  response: Response,
  name: string,
  columns: readonly Column<Row>[],
  rows: AsyncIterable<Row>,
): Promise<void> {
  const formats = cellFormats(request.session.timeZone);
  const lines = stringify({
    header: true,
    bom: true,
    cast: {
      string: (value) => (FORMULA.test(value) && !PHONE.test(value) ? `'${value}` : value),
      // Numbers are never formulas, also those below zero.
      number: (value, { index }) =>
        columns[index]![0].endsWith('_naira') ? value.toFixed(2) : String(value),
    },
    columns: columns.map(([title]) => title),
  });
  async function* cells() {
    for await (const row of rows) yield columns.map(([, cell]) => cell(row, formats));
  }
  return sendFile(request, response, { name, type: 'csv' }, Readable.from(cells()), lines);
}

/** Streams a file as fast as it is taken: memory stays the same. */
export async function sendFile(
  { mode, now, session }: DashboardRequest,
  response: Response,
  { name, type }: { name: string; type: 'csv' | 'txt' | 'pdf' },
  ...source: [Readable, ...Duplex[]]
): Promise<void> {
  const day = cellFormats(session.timeZone).localTime(now.toISOString())!.slice(0, 10);
  response.type(type).set({
    'Content-Disposition': `attachment; filename="${name}-${mode}-${day}.${type}"`,
    'Cache-Control': 'no-store',
  });
  if (response.req.method === 'HEAD') return void response.end();
  await pipeline([...source, response]).catch((error) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error; // else the reader went away
  });
}

async function* pagesFrom<Row>(
  { call }: DashboardRequest,
  route: Route,
  { params, query }: { params: Record<string, string>; query: Filter },
  first: { data: Row[]; next_cursor?: string },
): AsyncGenerator<Row[]> {
  let page = first;
  for (;;) {
    yield page.data;
    const cursor = page.next_cursor;
    if (cursor === undefined) return;
    page = await call(route, { params, query: { ...query, cursor }, uncounted: true });
  }
}

function cellFormats(timeZone: string): CellFormats {
  const time = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return {
    localTime: (iso) => (iso === null ? null : time.format(new Date(iso))),
    naira: (kobo) => (kobo === null ? null : kobo / 100),
  };
}
