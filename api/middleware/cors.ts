import cors from 'cors';
import type { Request, Router } from 'express';

/** A wildcard would not cover Authorization. */
const allowedHeaders = ['Authorization', 'Content-Type', 'Idempotency-Key', 'Test-Scenario'];

const exposedHeaders = [
  'Request-Id',
  'Retry-After',
  'Idempotent-Replayed',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

/** No browser caches a preflight for longer. */
const MAX_AGE_SECONDS = 7_200;

type Endpoint = { method: 'get' | 'post' | 'put' | 'patch' | 'delete'; path: string };

/**
 * Answers preflights without a credential and lets pages of any origin read answers. That is safe:
 * a page needs a key, and the key's origins are checked with it.
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

function isPreflight({ headers }: Request): boolean {
  return headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}
