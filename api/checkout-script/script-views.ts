import express, { type RequestHandler } from 'express';
import { checkoutScript, declarations, scriptVersions } from './script-files.ts';

const REVALIDATE = 'public, max-age=0, must-revalidate';
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** The newest version at one address that browsers check, and each at one they cache for ever. */
export function scriptViews(): express.Router {
  const router = express.Router({ caseSensitive: true });
  const { text: newest, etag: ETag } = checkoutScript;
  router.get('/checkout.js', file('js', newest, { 'Cache-Control': REVALIDATE, ETag }));
  for (const { path, text, etag } of scriptVersions())
    router.get(path, file('js', text, { 'Cache-Control': IMMUTABLE, ETag: etag }));
  router.get('/checkout.d.ts', file('text/plain', declarations, { 'Cache-Control': REVALIDATE }));
  return router;
}

/** A script element with `integrity` reads the file by CORS. */
const shared = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

function file(type: string, text: string, headers: Record<string, string>): RequestHandler {
  return (request, response) => {
    response.set({ ...shared, ...headers });
    if (request.fresh) return void response.status(304).end();
    response.type(type).send(text);
  };
}
