import type { Answer } from '../context.ts';
import type { Account } from '../records.ts';
import { Refusal, toText } from '../wire.ts';

export function ok(responseBody: unknown): Answer {
  const success = { requestSuccessful: true, responseMessage: 'success', responseCode: '0' };
  return { status: 200, body: { ...success, responseBody } };
}

/** A call that did not. The code is text or a number: Monnify is of two minds about its 99. */
function refusal(status: number, responseMessage: string, responseCode: string | number = '99') {
  return { status, body: { requestSuccessful: false, responseMessage, responseCode } };
}

export function refuse(...parts: Parameters<typeof refusal>): never {
  throw new Refusal(refusal(...parts));
}

const tryAgain = 'There was an error processing the request, Please try again later...';

/** Something in the request cannot be used; Monnify does not say what. */
export const malformed = () => refuse(400, MALFORMED);

const MALFORMED = 'The request could not be completed due to malformed syntax.';

/** A number that is none, in a page or a filter. */
const notProcessed = () => refuse(400, tryAgain);

export const refusals = {
  unknownKey: refusal(401, 'Unauthorized, supply authorization header'),
  unknownPath: refusal(404, 'The requested resource could not be found'),
  unreadable: refusal(400, MALFORMED),
  tooLarge: refusal(413, 'Request body is too large'),
  rateLimited: {
    ...refusal(429, 'Too many requests, please try again later'),
    headers: { 'retry-after': '1' },
  },
  broken: refusal(500, tryAgain),
};

const LARGEST_PAGE = 100;

/** One page of a list as Spring shows it: `page` counts from 0, `size` is 10 unless asked. */
export function pageAnswer<Row>(
  query: Record<string, unknown>,
  all: readonly Row[],
  toWire: (row: Row) => object,
): Answer {
  const number = read(query, 'page', toCount) ?? 0;
  const asked = (read(query, 'size', toCount) ?? 10) || notProcessed();
  const size = Math.min(asked, LARGEST_PAGE);
  const offset = number * size;
  const rows = all.slice(offset, offset + size);
  const total = all.length;
  const totalPages = Math.ceil(total / size);
  const sort = { sorted: true, unsorted: false, empty: false };
  const pageable = { sort, pageSize: size, pageNumber: number, offset };
  return ok({
    content: rows.map(toWire),
    pageable: { ...pageable, paged: true, unpaged: false },
    last: number + 1 >= totalPages,
    totalPages,
    totalElements: total,
    sort,
    first: number === 0,
    numberOfElements: rows.length,
    size,
    number,
    empty: rows.length === 0,
  });
}

const toCount = (digits: string) => (/^\d{1,6}$/.test(digits) ? Number(digits) : undefined);

export const merchantName = ({ id }: Account): string => `Sandbox Merchant ${id}`;

/** A parameter's value, if it is given; one that cannot be read is refused. */
export function read<Value>(
  query: Record<string, unknown>,
  name: string,
  parse: (text: string) => Value | undefined,
): Value | undefined {
  const given = toText(query[name]);
  return given === undefined ? undefined : (parse(given) ?? notProcessed());
}
