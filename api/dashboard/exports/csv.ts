import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import type { Response } from 'express';
import type { Route } from '../../http/route.ts';
import { filledFields } from '../lists.ts';
import type { DashboardRequest } from '../request.ts';

export interface Export<Row = object> {
  /** Below `/dashboard`. */
  path: string;
  name: string;
  route: Route;
  filters: readonly string[];
  columns: readonly Column<Row>[];
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

const PAGE = '100';

/**
 * Streams everything a filter finds, reading each page once the last was sent: memory stays the
 * same. Formulas are escaped. A wrong filter is refused before anything is sent.
 */
export async function sendCsv(
  request: DashboardRequest,
  response: Response,
  { name, route, filters, columns }: Export,
): Promise<void> {
  const query = { ...filledFields(request.query, filters), limit: PAGE };
  const input = { params: request.params, query };
  const first = await request.call(route, input);
  const formats = cellFormats(request.session.timeZone);
  const day = formats.localTime(request.now.toISOString())!.slice(0, 10);
  response.set({
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${name}-${request.mode}-${day}.csv"`,
    'Cache-Control': 'no-store',
  });
  if (response.req.method === 'HEAD') return void response.end();
  const rows = Readable.from(rowsFrom(request, route, input, first));
  const lines = stringify({
    header: true,
    bom: true,
    cast: {
      string: (value) => (FORMULA.test(value) ? `'${value}` : value),
      // Numbers are never formulas, also those below zero.
      number: (value, { index }) =>
        columns[index]![0].endsWith('_naira') ? value.toFixed(2) : String(value),
    },
    columns: columns.map(([title]) => title),
  });
  const sent = pipeline(
    rows,
    async function* toCells(source: AsyncIterable<object>) {
      for await (const row of source) yield columns.map(([, cell]) => cell(row, formats));
    },
    lines,
    response,
  );
  await sent.catch((error) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error; // else the reader went away
  });
}

async function* rowsFrom(
  { call }: DashboardRequest,
  route: Route,
  { params, query }: { params: Record<string, string>; query: Record<string, string> },
  first: { data: object[]; next_cursor?: string },
): AsyncGenerator<object> {
  let page = first;
  for (;;) {
    yield* page.data;
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
