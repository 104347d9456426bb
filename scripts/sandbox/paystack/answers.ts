import type { Answer } from '../context.ts';

/** A call that worked. */
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

/** A parameter that cannot be used. */
export function invalid(
  message: string,
  nextStep = 'Provide the parameter as the documentation of this endpoint asks for it',
): Answer {
  return refuse(400, message, 'invalid_params', nextStep);
}

/** A parameter that is not there. */
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
