import cors from 'cors';
import type { Request, Router } from 'express';

/** Headers that a web page may send. A wildcard would not cover Authorization. */
const allowedHeaders = ['Authorization', 'Content-Type', 'Idempotency-Key'];

/** Headers of an answer that a web page may read: those a client acts upon. */
const exposedHeaders = [
  'Request-Id',
  'Retry-After',
  'Idempotent-Replayed',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

/** Two hours: no browser caches a preflight for longer. */
const MAX_AGE_SECONDS = 7_200;

interface Endpoint {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  path: string;
}

/**
 * Opens one endpoint to web pages of any origin: its preflights are answered without a credential,
 * and pages may read its answers, refusals included. That is safe because a page needs a key all
 * the same, and the origins that may use a public key are checked with the key.
 */
export function openToWebPages(router: Router, { method, path }: Endpoint): void {
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
