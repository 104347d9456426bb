import express, { type ErrorRequestHandler, type Response } from 'express';
import type { Context } from '../../config/context.ts';
import { Problem } from '../../domain/shared/problems.ts';
import { logProblem } from '../http/reply.ts';
import type { Route } from '../http/route.ts';
import { docsSecurity, render, viewsDir } from './page.ts';
import { type Page, pagesOf } from './site.ts';

/** How long a page may be kept, in seconds: a new version of the service may have another. */
const KEPT_SECONDS = 300;

/** `/docs`: the API, for people to read. */
export function docsPages(context: Context, routes: readonly Route[]): express.Router {
  const router = express.Router({ caseSensitive: true });
  let pages: Map<string, Page> | undefined;
  const pageAt = (path: string) => {
    pages ??= pagesOf(context, routes);
    return pages.get(path);
  };
  router.use(docsSecurity);
  for (const file of ['base.css', 'docs.css', 'icon.svg']) {
    router.get(`/assets/${file}`, (_request, response) =>
      response.sendFile(file, { root: viewsDir, maxAge: '1h' }),
    );
  }
  router.get(['/', '/:page'], (request, response, next) => {
    const page = pageAt(`/${request.params.page ?? ''}`);
    if (!page) return next();
    send(response.set('Cache-Control', `public, max-age=${KEPT_SECONDS}`), page);
  });
  router.use(() => {
    throw new Problem('not_found', 'There is no such page.');
  });
  const onError: ErrorRequestHandler = (error, request, response, _next) => {
    const { status, headers, message } = logProblem(context, request, response, error);
    const { shown, ...page } = pageAt('missing')!;
    send(response.status(status).set(headers), { ...page, shown: { ...shown, message } });
  };
  router.use(onError);
  return router;
}

function send(response: Response, { template, shown }: Page): void {
  response.type('html').send(render(template, shown));
}
