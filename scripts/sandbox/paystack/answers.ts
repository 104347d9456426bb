import type { Answer, Call } from '../context.ts';
import {
  type Filters,
  filtered,
  isWithin,
  Refusal,
  readSpan,
  toCount,
  toId,
  toText,
} from '../wire.ts';

export function ok(message: string, data: unknown, meta?: object): Answer {
  return { status: 200, body: { status: true, message, data, ...(meta && { meta }) } };
}

/** A call that did not, in the newer of Paystack's two error shapes. */
function refusal(
  status: number,
  message: string,
  code: string,
  nextStep: string,
  type = 'validation_error',
): Answer {
  return { status, body: { status: false, message, meta: { nextStep }, type, code } };
}

export function refuse(...parts: Parameters<typeof refusal>): never {
  throw new Refusal(refusal(...parts));
}

export function invalid(
  message: string,
  nextStep = 'Provide the parameter as the documentation of this endpoint asks for it',
): never {
  return refuse(400, message, 'invalid_params', nextStep);
}

export function missing(message: string, parameter: string): never {
  return refuse(400, message, 'missing_params', `Provide the ${parameter} parameter`);
}

/** A resource that is not there, or belongs to another account. */
export function notFound(what: string): never {
  const nextStep = `Ensure that the ${what.toLowerCase()} exists on this integration`;
  return refuse(404, `${what} not found`, `${what.toLowerCase()}_not_found`, nextStep);
}

const checkPath = 'Check the path and the method of the request';
const waitAMoment = 'Wait a few minutes and try the API call again';

export const refusals = {
  unknownKey: { status: 401, body: { status: false, message: 'Invalid key' } },
  unknownPath: refusal(404, 'Endpoint not found', 'route_not_found', checkPath),
  unreadable: refusal(400, 'The request could not be read', 'invalid_params', 'Send valid JSON'),
  tooLarge: refusal(413, 'Request body is too large', 'invalid_params', 'Send a smaller request'),
  rateLimited: {
    ...refusal(429, 'Rate limit exceeded!', 'rate_limited', waitAMoment, 'api_error'),
    headers: { 'x-ratelimit-reset': '1' },
  },
  broken: refusal(500, 'An error occurred', 'unknown', 'Try again later', 'api_error'),
};

const LARGEST_PAGE = 100;

/** Part of a list, by perPage, page, from and to, or what is wrong with them. */
export function listAnswer<Row extends { createdAt: Date }>(
  { query }: Call,
  message: string,
  all: readonly Row[],
  { toWire, filters, volumeKobo }: Listed<Row>,
): Answer {
  const perPage = toCount(query.perPage, 50);
  const page = toCount(query.page, 1);
  const span = readSpan(query);
  if (!perPage || !page) return invalid('perPage and page should be numbers from 1 on');
  if (!span) return invalid('from and to should be ISO 8601 dates');
  const limit = Math.min(perPage, LARGEST_PAGE);
  const offset = (page - 1) * limit;
  const inSpan = all.filter((row) => isWithin(row, span));
  const found = filtered(inSpan, query, filters);
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

/** The number that a list is filtered by, if it is; a text is refused. */
export function askedId(query: Record<string, unknown>, name: string): number | undefined {
  const given = toText(query[name]);
  const id = toId(given);
  if (given !== undefined && id === undefined)
    return invalid(`${name[0]!.toUpperCase()}${name.slice(1)} ID should be numeric.`);
  return id;
}
