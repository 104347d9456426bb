import express from 'express';
import type { Context } from '../../config/context.ts';
import { findLogo } from '../../domain/accounts/tenant/logo.ts';

/** `/logos/{sha256}.png`: an address names its bytes, so browsers need not ask again. */
export function logoViews({ db }: Pick<Context, 'db'>): express.Router {
  const router = express.Router({ caseSensitive: true });
  router.get('/:file', async (request, response, next) => {
    const sha256 = /^([0-9a-f]{64})\.png$/.exec(request.params.file)?.[1];
    const png = sha256 === undefined ? undefined : await findLogo(db, sha256);
    if (!png) return next();
    response
      .set({
        'Cache-Control': 'public, max-age=31536000, immutable',
        'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
        'Cross-Origin-Resource-Policy': 'cross-origin',
      })
      .type('png')
      .send(png);
  });
  return router;
}
