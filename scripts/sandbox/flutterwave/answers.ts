import type { Answer } from '../context.ts';

/** A call that worked. */
export function ok(message: string, data: unknown, meta?: object): Answer {
  return { status: 200, body: { status: 'success', message, ...(meta && { meta }), data } };
}

/** A call that did not. */
export function refuse(status: number, message: string): Answer {
  return { status, body: { status: 'error', message, data: null } };
}

/**
 * A transaction that is not there, or belongs to another account: no 404 here, though the resource
 * is what is missing.
 */
export const noTransaction = refuse(400, 'No transaction was found for this id');

export const refusals = {
  unknownKey: refuse(401, 'Authorization required'),
  unknownPath: refuse(404, 'Resource not found'),
  unreadable: refuse(400, 'The request could not be read'),
  tooLarge: refuse(413, 'Request body is too large'),
  rateLimited: refuse(429, 'Too many requests'),
  broken: refuse(503, 'An error occurred. Please contact support'),
};
