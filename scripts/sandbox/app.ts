import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { SandboxContext } from './context.ts';
import { controlApi } from './control/routes.ts';
import { sendJson } from './http.ts';
import { payPage } from './pay-page.ts';
import { providerApi } from './provider-routes.ts';

/** The whole sandbox: the APIs, which have to be fast, and the pages for people. */
export function createApp(context: SandboxContext): RequestListener {
  const apis = new Map([
    ['_control', controlApi(context)],
    ...Object.values(context.providers).map(
      (provider) => [provider.name, providerApi(context, provider)] as const,
    ),
  ]);
  const pages = createPages(context);
  return (request, response) => {
    logRequest(context, request, response);
    const { url = '/' } = request;
    if (url.includes('%00')) return refuseUnstorable(response);
    const [, name = '', address = ''] = /^\/([^/?]*)(.*)$/s.exec(url) ?? [];
    const api = apis.get(name);
    if (!api || /^\/checkout(?![^/?])/.test(address)) pages(request, response);
    else void api(request, response, address);
  };
}

function createPages(context: SandboxContext): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use('/_assets', express.static(join(import.meta.dirname, 'pages/assets'), { maxAge: '1h' }));
  for (const provider of Object.values(context.providers))
    app.use(`/${provider.name}/checkout`, payPage(context, provider));
  app.use(
    (_request: Request, response: Response) =>
      void response.status(404).type('text').send('Nothing is here.\n'),
  );
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    context.log('page failed', { path: request.path, error: String(error) });
    if (response.headersSent || response.destroyed) return void response.destroy();
    response.status(500).type('text').send('Something went wrong in the sandbox.\n');
  });
  return app;
}

function logRequest(
  context: SandboxContext,
  { method, url = '/' }: IncomingMessage,
  response: ServerResponse,
): void {
  const startedMs = performance.now();
  response.on('close', () => {
    context.log('request', {
      method,
      path: url.split('?', 1)[0],
      status: response.writableFinished ? response.statusCode : null,
      duration_ms: Math.round(performance.now() - startedMs),
    });
  });
}

/** Postgres keeps no NUL character; an address that carries one names nothing here. */
function refuseUnstorable(response: ServerResponse): void {
  sendJson(response, 400, { status: false, message: 'Invalid character in the address' });
}
