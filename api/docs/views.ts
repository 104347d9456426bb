import express, { type ErrorRequestHandler, type RequestHandler, type Response } from 'express';
import type { Context } from '../../config/context.ts';
import { Problem } from '../../domain/shared/problems.ts';
import { logProblem } from '../http/reply.ts';
import type { Route } from '../http/route.ts';
import { type View, viewsOf } from './site.ts';
import { docsSecurity, exampleSecurity, render, viewsDir } from './view.ts';

/** A new version of the service may show another view. */
const CACHE_SECONDS = 300;

export function docsViews(context: Context, routes: readonly Route[]): express.Router {
  const router = express.Router({ caseSensitive: true });
  let views: Map<string, View> | undefined;
  const viewAt = (path: string) => {
    views ??= viewsOf(context, routes);
    return views.get(path);
  };
  router.use((request, response, next) => {
    const security = request.path === '/checkout' ? exampleSecurity : docsSecurity;
    security(request, response, next);
  });
  for (const file of ['base.css', 'docs.css', 'icon.svg', 'checkout-example.js']) {
    router.get(`/assets/${file}`, (_request, response) =>
      response.sendFile(file, { root: viewsDir, maxAge: '1h' }),
    );
  }
  router.get(['/', '/:view'], (request, response, next) => {
    const view = viewAt(`/${request.params.view ?? ''}`);
    if (!view) return next();
    send(response.set('Cache-Control', `public, max-age=${CACHE_SECONDS}`), view);
  });
  router.use(() => {
    throw new Problem('not_found', 'There is no such page.');
  });
  const onError: ErrorRequestHandler = (error, request, response, _next) => {
    const { status, headers, message } = logProblem(context, request, response, error);
    const { shown, ...view } = viewAt('missing')!;
    send(response.status(status).set(headers), { ...view, shown: { ...shown, message } });
  };
  router.use(onError);
  return router;
}

/** Browsers ask for it beside every page that names no icon. */
export const favicon: RequestHandler = (_request, response) =>
  response.sendFile('icon.svg', { root: viewsDir, maxAge: '1d' });

function send(response: Response, { template, shown }: View): void {
  response.type('html').send(render(template, shown));
}
