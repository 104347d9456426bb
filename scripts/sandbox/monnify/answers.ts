import type { Answer } from '../context.ts';

/** A call that worked. */
export function ok(responseBody: unknown): Answer {
  return {
    status: 200,
    body: { requestSuccessful: true, responseMessage: 'success', responseCode: '0', responseBody },
  };
}

/** A call that did not. The code is text or a number: Monnify is of two minds about its 99. */
export function refuse(
  status: number,
  responseMessage: string,
  responseCode: string | number = '99',
): Answer {
  return { status, body: { requestSuccessful: false, responseMessage, responseCode } };
}

/** Something in the request cannot be used; Monnify does not say what. */
export const malformed = refuse(400, 'The request could not be completed due to malformed syntax.');

/** A number that is none, in a page or a filter. */
export const notProcessed = refuse(400, tryAgain());

/** What the door itself answers. */
export const refusals = {
  unknownKey: refuse(401, 'Unauthorized, supply authorization header'),
  unknownPath: refuse(404, 'The requested resource could not be found'),
  unreadable: malformed,
  tooLarge: refuse(413, 'Request body is too large'),
  rateLimited: {
    ...refuse(429, 'Too many requests, please try again later'),
    headers: { 'retry-after': '1' },
  },
  broken: refuse(500, tryAgain()),
};

function tryAgain(): string {
  return 'There was an error processing the request, Please try again later...';
}
