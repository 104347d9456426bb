import { type Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import type { Response } from 'express';
import { spacedPhone } from '../../../domain/shared/phone.ts';
import { BEYOND_EVERY_ID, type Page } from '../../http/cursor.ts';
import type { Route } from '../../http/route.ts';
import { type Filter, filledFields } from '../lists.ts';
import type { DashboardRequest, Need } from '../request.ts';
import { slotNames } from '../slot-names.ts';

/** A file to download. */
export interface Export {
  /** Below `/dashboard`. */
  path: string;
  permission: Need;
  /** A wrong filter is refused before anything is sent. */
  send: (request: DashboardRequest, response: Response) => Promise<void>;
}

interface ListExport<Row> {
  path: string;
  name: string;
  route: Route;
  filters: readonly string[];
  /** What the route is asked, where the list's form has other fields, or its path says more. */
  queryOf?: (filter: Filter, request: DashboardRequest) => Filter | Promise<Filter>;
  columns: readonly Column<Row>[];
  /** Adds what the list of the API does not say, for the rows of a page. */
  // biome-ignore lint/suspicious/noExplicitAny: each export knows the schema of its route.
  describe?: (request: DashboardRequest, rows: readonly any[]) => Promise<Row[]>;
}

/**
 * Null is an empty cell. By its title a column gets a second one that people read: amounts
 * (`_kobo`) in naira, times (`_at`) in the business's time zone, `phone` as a text, `provider` by
 * its name.
 */
export type Column<Row> = readonly [title: string, cell: (row: Row) => Cell];

type Cell = string | number | Date | null | undefined;

/**
 * Before what may run as a formula: at the start, also behind blanks. Where semicolons separate
 * cells, quotes within a line mean nothing, so behind each of them and each end of a line, too.
 */
const FORMULAS = /(?<=^|[;\n\r])(?=\s*[=+\-@＝＋－＠]|[\t\r])/g;

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
    permission: route.credential as Need,
    async send(request, response) {
      const asked = await queryOf(filledFields(request.all, filters), request);
      const query = { ...asked, limit: PAGE };
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
  permission?: Need;
  pages: (request: DashboardRequest) => AsyncIterable<Row[]>;
}

/** Reads everything, newest first. */
export const pageByPage = <Row extends { id: string }>(
  read: (request: DashboardRequest, page: Page) => Promise<Row[]>,
) =>
  async function* (request: DashboardRequest): AsyncGenerator<Row[]> {
    let before = BEYOND_EVERY_ID;
    for (;;) {
      const page = await read(request, { before, limit: Number(PAGE) });
      yield page;
      if (page.length < Number(PAGE)) return;
      before = page.at(-1)!.id;
    }
  };

/** Everything in a list that is not in the API. */
export function storedExport<Row>(list: StoredExport<Row>): Export {
  const { path, permission = 'read', name, columns, pages } = list;
  return {
    path,
    permission,
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
export async function sendCsv<Row>(
  request: DashboardRequest,
  response: Response,
  name: string,
  columns: readonly Column<Row>[],
  rows: AsyncIterable<Row>,
): Promise<void> {
  const shown = readable(columns, await readingsFor(request));
  const lines = stringify({
    header: true,
    bom: true,
    cast: {
      string: (value) => (PHONE.test(value) ? value : value.replace(FORMULAS, "'")),
      // Numbers are never formulas, also those below zero.
      number: (value, { index }) =>
        shown[index]![0].endsWith('_naira') ? value.toFixed(2) : String(value),
      date: (value) => value.toISOString(),
    },
    columns: shown.map(([title]) => title),
  });
  async function* cells() {
    for await (const row of rows) yield shown.map(([, cell]) => cell(row));
  }
  return sendFile(request, response, { name, type: 'csv' }, Readable.from(cells()), lines);
}

type Reading = readonly [
  ending: RegExp,
  instead: string,
  read: (value: string | number | Date) => Cell,
];

async function readingsFor({ context, session }: DashboardRequest): Promise<Reading[]> {
  const localTime = localTimeIn(session.timeZone);
  const providers = await slotNames(context, session);
  return [
    [/kobo$/, 'naira', (kobo) => Number(kobo) / 100],
    [/(?<![a-z])at$/, 'local', (time) => localTime(new Date(time))],
    [/phone$/, 'phone_text', (phone) => spacedPhone(String(phone))],
    [/^provider$/, 'provider_name', (slot) => providers[String(slot)]],
  ];
}

function readable<Row>(columns: readonly Column<Row>[], readings: readonly Reading[]) {
  return columns.flatMap(([title, cell]): Column<Row>[] => {
    const fitting = readings.filter(([ending]) => ending.test(title));
    return [
      [title, cell],
      ...fitting.map(([ending, instead, read]): Column<Row> => {
        const readCell = (value: Cell) =>
          value === null || value === undefined ? null : read(value);
        return [title.replace(ending, instead), (row) => readCell(cell(row))];
      }),
    ];
  });
}

/** Streams a file as fast as it is taken: memory stays the same. */
export async function sendFile(
  { mode, now, session }: DashboardRequest,
  response: Response,
  { name, type }: { name: string; type: 'csv' | 'txt' | 'pdf' },
  ...source: [Readable, ...Duplex[]]
): Promise<void> {
  const day = localTimeIn(session.timeZone)(now).slice(0, 10);
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

/** As `2026-11-22 14:05`. */
function localTimeIn(timeZone: string): (time: Date) => string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return (time) => format.format(time);
}
