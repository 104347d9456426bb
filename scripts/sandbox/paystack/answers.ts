import type { Answer, Call } from '../context.ts';
import { type Filters, filtered, isWithin, readSpan, text, toCount, toId } from '../wire.ts';

export function ok(message: string, data: unknown, meta?: object): Answer {
  return { status: 200, body: { status: true, message, data, ...(meta && { meta }) } };
}

type Kind = 'validation_error' | 'api_error';

/** A call that did not, in the newer of Paystack's two error shapes. */
export function refuse(
  status: number,
  message: string,
  code: string,
  nextStep: string,
  type: Kind = 'validation_error',
): Answer {
  return { status, body: { status: false, message, meta: { nextStep }, type, code } };
}

export function invalid(
  message: string,
  nextStep = 'Provide the parameter as the documentation of this endpoint asks for it',
): Answer {
  return refuse(400, message, 'invalid_params', nextStep);
}

export function missing(message: string, parameter: string): Answer {
  return refuse(400, message, 'missing_params', `Provide the ${parameter} parameter`);
}

/** A resource that is not there, or belongs to another account. */
export function notFound(what: string): Answer {
  const nextStep = `Ensure that the ${what.toLowerCase()} exists on this integration`;
  return refuse(404, `${what} not found`, `${what.toLowerCase()}_not_found`, nextStep);
}

export const refusals = {
  unknownKey: { status: 401, body: { status: false, message: 'Invalid key' } },
  unknownPath: refuse(
    404,
    'Endpoint not found',
    'route_not_found',
    'Check the path and the method of the request',
  ),
  unreadable: invalid('The request could not be read', 'Send valid JSON'),
  tooLarge: refuse(413, 'Request body is too large', 'invalid_params', 'Send a smaller request'),
  rateLimited: {
    ...refuse(
      429,
      'Rate limit exceeded!',
      'rate_limited',
      'Wait a few minutes and try the API call again',
      'api_error',
    ),
    headers: { 'x-ratelimit-reset': '1' },
  },
  broken: refuse(500, 'An error occurred', 'unknown', 'Try again later', 'api_error'),
};

const LARGEST_PAGE = 100;

/** Part of a list, by perPage, page, from and to, or what is wrong with them. */
export function listAnswer<Row extends { createdAt: Date }>(
  { query }: Call,
  message: string,
  all: readonly Row[],
  { toWire, filters, volumeKobo }: Listed<Row>,
): Answer {
  const perPage = toCount(text(query, 'perPage'), 50);
  const page = toCount(text(query, 'page'), 1);
  const span = readSpan(query);
  if (!perPage || !page) return invalid('perPage and page should be numbers from 1 on');
  if (!span) return invalid('from and to should be ISO 8601 dates');
  const limit = Math.min(perPage, LARGEST_PAGE);
  const offset = (page - 1) * limit;
  const found = filtered(all, query, filters).filter((row) => isWithin(row, span));
  const total = found.length;
  const volume = volumeKobo && found.reduce((sum, row) => sum + volumeKobo(row), 0);
  return ok(message, found.slice(offset, offset + limit).map(toWire), {
    ...{ total, skipped: offset, perPage: limit, page },
    ...(volume !== undefined && { total_volume: volume }),
    pageCount: Math.max(1, Math.ceil(total / limit)),
  });
}

interface Listed<Row> {
  toWire: (row: Row) => object;
  filters: Filters<Row>;
  volumeKobo?: (row: Row) => number;
}

/** A number that a list is filtered by, or why it is none. */
export function refuseText(query: Record<string, unknown>, name: string): Answer | undefined {
  const number = text(query, name);
  if (number === undefined || toId(number) !== undefined) return undefined;
  return invalid(`${name[0]!.toUpperCase()}${name.slice(1)} ID should be numeric.`);
}
