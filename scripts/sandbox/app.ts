import { join } from 'node:path';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { controlDoor } from './control/routes.ts';
import { providerDoor } from './provider-door.ts';
import type { World } from './world.ts';

/** The whole sandbox as one Express application. */
export function createApp(world: World): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(logRequests(world));
  app.use(refuseUnstorable);
  app.use('/_assets', express.static(join(import.meta.dirname, 'pages/assets'), { maxAge: '1h' }));
  app.use('/_control', controlDoor(world));
  for (const provider of Object.values(world.providers))
    app.use(`/${provider.name}`, providerDoor(world, provider));
  app.use(
    (_request: Request, response: Response) =>
      void response.status(404).type('text').send('Nothing is here.\n'),
  );
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    world.log('page failed', { path: request.path, error: String(error) });
    if (response.headersSent || response.destroyed) return void response.destroy();
    response.status(500).type('text').send('Something went wrong in the sandbox.\n');
  });
  return app;
}

function logRequests(world: World) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const startedMs = performance.now();
    const { method, path } = request;
    response.on('close', () => {
      const durationMs = Math.round(performance.now() - startedMs);
      world.log('request', {
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
