import cors from 'cors';
import type { Request, Router } from 'express';
import type { Route } from '../http/route.ts';

/** What a web page may send besides its body. A wildcard would not cover Authorization. */
const allowedHeaders = ['Authorization', 'Content-Type', 'Idempotency-Key'];

/** What a web page may read of an answer besides its body: what there is to act upon. */
const exposedHeaders = [
  'Request-Id',
  'Retry-After',
  'Idempotent-Replayed',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

/** Two hours: browsers ask again after that anyway. */
const MAX_AGE_SECONDS = 7_200;

/**
 * Opens one endpoint to web pages of any origin: its preflights are answered without a credential, and pages may read its answers,
 * refusals too. That gives nothing away: a page needs a key all the same, and which pages may use a public key is checked with the key.
 */
export function openToWebPages(router: Router, { method, path }: Route): void {
  const share = cors({
    origin: '*',
    methods: method.toUpperCase(),
    allowedHeaders,
    exposedHeaders,
    maxAge: MAX_AGE_SECONDS,
  });
  router.options(path, (request, response, next) =>
    isPreflight(request) ? share(request, response, next) : next(),
  );
  router[method](path, share);
}

/** A browser asking whether a page may send a request, before it sends it. */
function isPreflight({ headers }: Request): boolean {
  return headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}
