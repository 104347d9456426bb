import express, { type ErrorRequestHandler, type Express } from 'express';
import type { Context } from '../config/context.ts';
import { Problem } from '../domain/problems.ts';
import { board } from './board.ts';
import { checkoutPages } from './checkout/pages.ts';
import { healthRoutes } from './health.ts';
import { foldVersion, logRequest, requireHttps } from './middleware/request.ts';
import { receiveNotification } from './notifications/receive-notification.ts';
import { routes } from './routes.ts';
import { refuse, sendProblem, serve } from './serve.ts';

/** The whole door: merchants' API, payers' pages, providers' notifications, operators' board. */
export function createApp(context: Context): Express {
  const app = express();
  app.disable('x-powered-by').set('etag', false).set('query parser', 'simple').set('case sensitive routing', true);
  if (context.env.trustProxy) app.set('trust proxy', context.env.trustProxy.split(','));

  const site = express.Router({ caseSensitive: true });
  site.use(logRequest(context));
  site.use(healthRoutes(context));
  site.use(requireHttps(context.env.allowedHttpHosts));
  site.use('/v1', foldVersion, merchantApi(context));
  site.use('/notifications', receiveNotification(context));
  site.use('/pay', checkoutPages(context));
  site.use('/ops/queues', board(context));
  site.use(refuseUnknown);

  app.use(context.env.basePath || '/', site);
  app.use(onError(context));
  return app;
}

function merchantApi(context: Context): express.Router {
  const router = express.Router({ caseSensitive: true });
  for (const route of routes) router[route.method](route.path, serve(context, route));
  for (const path of new Set(routes.map((route) => route.path))) {
    const allowed = routes.filter((route) => route.path === path).map((route) => route.method.toUpperCase());
    router.all(
      path,
      refuse(context, (request) => {
        const message = `${request.method} is not possible here; ${allowed.join(' and ')} is.`;
        return new Problem('method_not_allowed', message, { headers: { Allow: allowed.join(', ') } });
      }),
    );
  }
  router.use(refuse(context, () => new Problem('not_found', 'There is no such endpoint. See the API reference for those there are.')));
  return router;
}

const refuseUnknown: express.RequestHandler = (_request, _response, next) =>
  next(new Problem('not_found', 'There is nothing at this address.'));

function onError(context: Context): ErrorRequestHandler {
  return (error, request, response, _next) => sendProblem(context, request, response, error);
}
