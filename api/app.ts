import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
} from 'express';
import type { Context } from '../config/context.ts';
import { Problem } from '../domain/shared/problems.ts';
import { logoViews } from './business/logo-views.ts';
import { createCharge } from './charges/create-charge.ts';
import { linkViews } from './checkout/link-views.ts';
import { problemViews } from './checkout/problem-views.ts';
import { formSecurity } from './checkout/view.ts';
import { checkoutViews } from './checkout/views.ts';
import { scriptViews } from './checkout-script/script-views.ts';
import { clientViews } from './clients/client-views.ts';
import { dashboard } from './dashboard/dashboard.ts';
import { lead, problemPage } from './dashboard/frame.ts';
import { dashboardSecurity } from './dashboard/render.ts';
import { docsViews, favicon } from './docs/views.ts';
import { sendProblem } from './http/reply.ts';
import type { Route } from './http/route.ts';
import { type RouteDeps, refusalHandler, routeHandler } from './http/route-handler.ts';
import { boundForms } from './http/unverified-body.ts';
import { openToWebPages } from './middleware/cors.ts';
import { recogniser } from './middleware/recognise-credential.ts';
import { foldVersion, logRequest, requireHttps } from './middleware/request.ts';
import { receiveNotification } from './notifications/receive-notification.ts';
import { readDocument } from './openapi/read-document.ts';
import { board } from './operations/board.ts';
import { healthRoutes } from './operations/health.ts';
import { metrics } from './operations/metrics.ts';
import { routes } from './routes.ts';
import { setPasswordProblems } from './set-password/problem-views.ts';
import { setPasswordViews } from './set-password/views.ts';

/** The whole application: API, payers' views, dashboard, notifications, board. */
export function createApp(context: Context, stopping?: AbortSignal): Express {
  const { basePath, trustProxy } = context.env;
  const app = express();
  app
    .disable('x-powered-by')
    .set('etag', false)
    .set('query parser', 'simple')
    .set('case sensitive routing', true);
  if (trustProxy)
    app.set('trust proxy', /^\d+$/.test(trustProxy) ? Number(trustProxy) : trustProxy);
  app.use(logRequest(context));
  app.get('/favicon.ico', favicon);
  app.use(basePath || '/', site(context, stopping));
  app.use(refuseUnknown(context), onError(context));
  return app;
}

function site(context: Context, stopping?: AbortSignal): express.Router {
  const router = express.Router({ caseSensitive: true });
  router.use(healthRoutes(context, stopping));
  router.use(metrics(context));
  const https = requireHttps(context.env.allowedHttpHosts);
  router.use('/v1', https, scriptViews(), merchantApi(context));
  router.use('/notifications', https, receiveNotification(context));
  router.use(
    '/pay',
    formSecurity,
    https,
    checkoutViews(context),
    problemViews(context, 'checkout'),
  );
  const forms = boundForms(context);
  router.use(
    '/l',
    formSecurity,
    https,
    forms,
    linkViews(context),
    problemViews(context, 'payment link'),
  );
  router.use('/logos', https, logoViews(context));
  router.use(
    '/set-password',
    formSecurity,
    https,
    forms,
    setPasswordViews(context),
    setPasswordProblems(context),
  );
  router.use(
    '/dashboard',
    dashboardSecurity,
    https,
    forms,
    dashboard(context),
    problemPage(context),
  );
  router.use('/clients', https, clientViews(context, routes));
  const docs = docsViews(context, routes);
  router.use('/docs', https, docs);
  router.get('/llms.txt', https, docs);
  router.use('/ops/queues', https, board(context));
  router.get('/', (request, response, next) => {
    if (isPerson(request)) lead(context, response, '');
    else next();
  });
  return router;
}

function merchantApi(context: Context): express.Router {
  const deps: RouteDeps = { context, recognise: recogniser(context) };
  const router = express.Router({ caseSensitive: true });
  router.use(foldVersion);
  openToWebPages(router, createCharge);
  const all = [...routes, readDocument(routes)];
  for (const route of all) router[route.method](route.path, routeHandler(deps, route));
  for (const [path, found] of Map.groupBy(all, (route) => route.path))
    router.all(path, refusalHandler(deps, wrongMethod(found), openOf(found)));
  router.use(
    refusalHandler(
      deps,
      () =>
        new Problem(
          'not_found',
          'There is no such endpoint. The API reference at /docs lists all endpoints.',
        ),
    ),
  );
  // A path that cannot be decoded fails in the router itself: without a credential it is 401 too.
  const onRouterError: ErrorRequestHandler = (error, request, response, next) =>
    refusalHandler(deps, () => error)(request, response, next);
  router.use(onRouterError);
  return router;
}

/** An address that asks nobody for a credential, asks for none to say which methods it has. */
function openOf(found: readonly Route[]): Route | undefined {
  return found.every((route) => route.credential === 'none') ? found[0] : undefined;
}

/** `found`: the routes of one path. */
function wrongMethod(found: readonly Route[]): () => Problem {
  const methods = found.map((route) => route.method.toUpperCase());
  const Allow = methods
    .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method))
    .sort()
    .join(', ');
  return () =>
    new Problem('method_not_allowed', `This method is not possible here. Possible: ${Allow}.`, {
      headers: { Allow },
    });
}

function refuseUnknown(context: Context): RequestHandler {
  const problem = new Problem('not_found', 'There is nothing at this address.');
  const showPage = problemPage(context);
  return (request, response, next) => {
    if (!isPerson(request)) return next(problem);
    dashboardSecurity(request, response, () => showPage(problem, request, response, next));
  };
}

/** Programs get JSON, those that say nothing of what they take too. */
const isPerson = (request: Request) => request.accepts(['json', 'html']) === 'html';

function onError(context: Context): ErrorRequestHandler {
  return (error, request, response, _next) => sendProblem(context, request, response, error);
}
