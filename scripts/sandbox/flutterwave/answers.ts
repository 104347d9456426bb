import type { Answer, Call } from '../context.ts';
import { type Filters, filtered, isWithin, Refusal, readSpan, toCount } from '../wire.ts';

export function ok(message: string, data: unknown, meta?: object): Answer {
  return { status: 200, body: { status: 'success', message, ...(meta && { meta }), data } };
}

function refusal(status: number, message: string): Answer {
  return { status, body: { status: 'error', message, data: null } };
}

export function refuse(status: number, message: string): never {
  throw new Refusal(refusal(status, message));
}

/** No 404 here, though the resource is what is missing. */
export const noTransaction = () => refuse(400, 'No transaction was found for this id');

export const refusals = {
  unknownKey: refusal(401, 'Authorization required'),
  unknownPath: refusal(404, 'Resource not found'),
  unreadable: refusal(400, 'The request could not be read'),
  tooLarge: refusal(413, 'Request body is too large'),
  rateLimited: refusal(429, 'Too many requests'),
  broken: refusal(503, 'An error occurred. Please contact support'),
};

const PAGE_SIZE = 20;

/** Part of a list: pages of twenty, of the days from `from` to `to`. */
export function listAnswer<Row extends { createdAt: Date }>(
  { query }: Call,
  message: string,
  all: readonly Row[],
  toWire: (row: Row) => object,
  filters: Filters<Row> = {},
): Answer {
  const page = toCount(query.page, 1);
  const span = readSpan(query);
  if (!page) return refuse(400, 'page must be a number');
  if (!span) return refuse(400, 'from and to must be dates, YYYY-MM-DD');
  const inSpan = all.filter((row) => isWithin(row, span));
  const found = filtered(inSpan, query, filters);
  const rows = found.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  const total = found.length;
  const pages = { current_page: page, total_pages: Math.ceil(total / PAGE_SIZE) };
  return ok(message, rows.map(toWire), {
    page_info: { total, ...pages, page_size: PAGE_SIZE },
  });
}
