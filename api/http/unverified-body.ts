import type { Request, RequestHandler, Response } from 'express';
import { networkOf } from '../../config/client-network.ts';
import type { Context } from '../../config/context.ts';
import { Problem } from '../../domain/shared/problems.ts';

/** No form is larger: the evidence of a dispute has a file of 2 MB. */
const MAX_FORM_BYTES = 2_200_000;

/** Counts a body by its headers until it is answered. Throws 503 where too many are under way. */
export function holdUnverified(
  { unverifiedBodies }: Pick<Context, 'unverifiedBodies'>,
  request: Request,
  response: Response,
): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  const declared = encoding === undefined ? Number(length ?? 0) : MAX_FORM_BYTES;
  if (declared === 0) return;
  const held = unverifiedBodies.hold({ network: networkOf(request.ip ?? '') });
  if (!held.take(Math.min(declared, MAX_FORM_BYTES))) throw tooManyUnverified();
  response.once('close', () => held[Symbol.dispose]());
}

/** Forms are read before anything else is done. */
export function boundForms(context: Pick<Context, 'unverifiedBodies'>): RequestHandler {
  return (request, response, next) => {
    holdUnverified(context, request, response);
    next();
  };
}

/** The body is not read further: the connection ends with the answer. */
export function tooManyUnverified(): Problem {
  return new Problem(
    'unavailable',
    'Too many bytes from unknown senders are on their way. Try again shortly.',
    { headers: { 'Retry-After': '5', Connection: 'close' } },
  );
}
