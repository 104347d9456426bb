import type { RequestHandler } from 'express';
import { Problem } from '../../domain/shared/problems.ts';

/** Refuses forms of other sites (CSRF): browsers say where a form comes from, not scripts. */
export const requireSameOrigin: RequestHandler = (request, _response, next) => {
  if (request.method === 'GET' || request.method === 'HEAD') return next();
  const { origin, host } = request.headers;
  const site = request.headers['sec-fetch-site'];
  const isForeign =
    (site !== undefined && site !== 'same-origin' && site !== 'none') ||
    (origin !== undefined && hostOf(origin) !== host?.toLowerCase());
  if (isForeign)
    return next(
      new Problem('forbidden', 'This form was sent from another site, so it was refused.'),
    );
  next();
};

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
