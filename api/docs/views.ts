import express, { type ErrorRequestHandler, type RequestHandler, type Response } from 'express';
import type { Context } from '../../config/context.ts';
import { Problem } from '../../domain/shared/problems.ts';
import { logProblem } from '../http/reply.ts';
import type { Route } from '../http/route.ts';
import { contentsOf, markdownOf } from './markdown.ts';
import { searchOf } from './search.ts';
import { readShops } from './shops.ts';
import { type View, viewsOf } from './site.ts';
import { docsSecurity, exampleSecurity, render, viewsDir } from './view.ts';

/** A new version of the service may show another view. */
const CACHE_SECONDS = 300;

export function docsViews(context: Context, routes: readonly Route[]): express.Router {
  const router = express.Router({ caseSensitive: true });
  const views = onceAsked(() => viewsOf(context, routes));
  const viewAt = (path: string) => views().get(path);
  const addresses = onceAsked(() => ({
    root: `${context.env.basePath}/docs`,
    published: `${context.env.publicUrl}/docs`,
  }));
  const markdown = new Map<string, string>();
  const markdownAt = (path: string) => {
    const view = viewAt(path);
    if (view && !markdown.has(path)) markdown.set(path, markdownOf(htmlOf(view), addresses()));
    return markdown.get(path);
  };
  const pages = () =>
    [...views()]
      .filter(([path]) => path.startsWith('/'))
      .map(([path, view]) => ({
        ...{ path, title: view.title, html: htmlOf(view) },
      }));
  const shops = onceAsked(() => readShops(context.env.publicUrl));
  const search = onceAsked(() => searchOf(pages()));
  const contents = onceAsked(() => contentsOf(pages(), addresses()));
  router.use((request, response, next) => {
    const security = request.path === '/checkout' ? exampleSecurity : docsSecurity;
    security(request, response, next);
  });
  for (const file of ['base.css', 'docs.css', 'icon.svg', 'checkout-example.js']) {
    router.get(`/assets/${file}`, (_request, response) =>
      response.sendFile(file, { root: viewsDir, maxAge: '1h' }),
    );
  }
  router.use((_request, response, next) => {
    response.set('Cache-Control', `public, max-age=${CACHE_SECONDS}`);
    next();
  });
  router.get('/search', async (request, response) => {
    const { q } = request.query;
    const asked = typeof q === 'string' ? q.trim() : '';
    const { shown, ...view } = viewAt('search')!;
    send(response, {
      ...view,
      shown: { ...shown, asked, hits: asked ? (await search())(asked) : [] },
    });
  });
  router.get('/shops/:file', ({ params }, response, next) => {
    const shop = shops().find(({ file }) => file === params.file);
    if (!shop) return next();
    response.attachment(shop.file).type('text/plain').send(`${shop.code}\n`);
  });
  router.get('/llms.txt', async (_request, response) => {
    response.type('text/plain').send(await contents());
  });
  router.get('/{*path}', ({ path }, response, next) => {
    const [, page] = /^(.+)\.md$/.exec(path) ?? [];
    const text = page && markdownAt(page === '/index' ? '/' : page);
    if (text) return response.type('text/markdown').send(text);
    const view = viewAt(path);
    if (!view) return next();
    send(response, view);
  });
  router.use((_request, response) => {
    response.removeHeader('Cache-Control');
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

const htmlOf = ({ template, shown }: View) => render(template, shown);

function send(response: Response, view: View): void {
  response.type('html').send(htmlOf(view));
}

/** Made when it is first asked for: it takes longer than a payment may wait for a start. */
function onceAsked<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
