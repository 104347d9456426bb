import { join } from 'node:path';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { SandboxContext } from './context.ts';
import { controlRoutes } from './control/routes.ts';
import { providerRoutes } from './provider-routes.ts';

/** The whole sandbox as one Express application. */
export function createApp(context: SandboxContext): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(logRequests(context));
  app.use(refuseUnstorable);
  app.use('/_assets', express.static(join(import.meta.dirname, 'pages/assets'), { maxAge: '1h' }));
  app.use('/_control', controlRoutes(context));
  for (const provider of Object.values(context.providers))
    app.use(`/${provider.name}`, providerRoutes(context, provider));
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

function logRequests(context: SandboxContext) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const startedMs = performance.now();
    const { method, path } = request;
    response.on('close', () => {
      const durationMs = Math.round(performance.now() - startedMs);
      context.log('request', {
        method,
        path,
        status: response.writableFinished ? response.statusCode : null,
        duration_ms: durationMs,
      });
    });
    next();
  };
}

/** Postgres keeps no NUL character; an address that carries one names nothing here. */
function refuseUnstorable(request: Request, response: Response, next: NextFunction): void {
  if (/%00/.test(request.url))
    response.status(400).json({ status: false, message: 'Invalid character in the address' });
  else next();
}
