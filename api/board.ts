import { createHash, timingSafeEqual } from 'node:crypto';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import express, { type RequestHandler } from 'express';
import helmet from 'helmet';
import type { Context } from '../config/context.ts';
import type { Env } from '../config/env.ts';
import { Problem } from '../domain/problems.ts';
import { networkOf, throttle } from './middleware/limit.ts';

/** Bull Board for operators: read-only, behind HTTP Basic. Jobs carry ids only, so there is nothing in them to hide. */
export function board(context: Context): express.Router {
  const { env, queues } = context;
  const router = express.Router();
  const serverAdapter = new ExpressAdapter();
  serverAdapter.setBasePath(`${env.basePath}/ops/queues`);
  const shown = [...queues.all.values()].map((queue) => new BullMQAdapter(queue, { readOnlyMode: true }));
  createBullBoard({ queues: shown, serverAdapter, options: { uiConfig: { boardTitle: 'Payment queues' } } });
  const app = (serverAdapter.getRouter() as express.Express).disable('x-powered-by');
  router.use(requireOperator(context), lookOnly, boardSecurity, neverKept, app);
  return router;
}

/** Without operator credentials in the environment nobody gets in. Guesses count like failed sign-ins from the same address. */
function requireOperator(context: Context): RequestHandler {
  return async (request, response, next) => {
    const network = networkOf(request.ip ?? '');
    const { authorization } = request.headers;
    if (authorization !== undefined) await throttle(context, 'signInAddress', network);
    if (isOperator(context.env.operator, authorization)) {
      await context.limits.giveBack('signInAddress', network);
      return next();
    }
    response.status(401).set('WWW-Authenticate', 'Basic realm="Operators", charset="UTF-8"');
    response.type('text').send('Sign in with the operator credentials (OPERATOR_USER, OPERATOR_PASSWORD).\n');
  };
}

function isOperator(operator: Env['operator'], authorization = ''): boolean {
  const [scheme, encoded = ''] = authorization.split(' ');
  const given = Buffer.from(encoded, 'base64').toString('utf8');
  return operator !== null && scheme?.toLowerCase() === 'basic' && isSame(given, `${operator.user}:${operator.password}`);
}

function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** Bull Board's own read-only mode hides the buttons; this is what holds. */
const lookOnly: RequestHandler = ({ method }, _response, next) => {
  if (method === 'GET' || method === 'HEAD') return next();
  next(new Problem('method_not_allowed', 'This board is for looking only.', { headers: { Allow: 'GET, HEAD' } }));
};

const self = ["'self'"];

/** Bull Board writes styles into its page and would fetch fonts from elsewhere: the first is allowed, the second is not. */
const boardSecurity = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: self,
      styleSrc: [...self, "'unsafe-inline'"],
      imgSrc: [...self, 'data:'],
      baseUri: self,
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  referrerPolicy: { policy: 'no-referrer' },
  xFrameOptions: { action: 'deny' },
});

const neverKept: RequestHandler = (request, response, next) => {
  if (!request.path.startsWith('/static/')) response.set('Cache-Control', 'no-store');
  next();
};
