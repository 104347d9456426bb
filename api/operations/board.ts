import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import express, { type RequestHandler } from 'express';
import helmet from 'helmet';
import type { Context } from '../../config/context.ts';
import { Problem } from '../../domain/shared/problems.ts';
import { requireOperator } from '../middleware/operator.ts';

/** Read-only, behind HTTP Basic. Jobs carry ids only: there is nothing to hide. */
export function board(context: Context): express.Router {
  const { env, queues } = context;
  const router = express.Router();
  const serverAdapter = new ExpressAdapter();
  serverAdapter.setBasePath(`${env.basePath}/ops/queues`);
  const shown = [...queues.all.values()].map(
    (queue) => new BullMQAdapter(queue, { readOnlyMode: true }),
  );
  createBullBoard({
    queues: shown,
    serverAdapter,
    options: { uiConfig: { boardTitle: 'Payment queues' } },
  });
  const app = (serverAdapter.getRouter() as express.Express).disable('x-powered-by');
  router.use(requireOperator(context), lookOnly, boardSecurity, neverKept, app);
  return router;
}

/** Bull Board's own read-only mode only hides the buttons. */
const lookOnly: RequestHandler = ({ method }, _response, next) => {
  if (method === 'GET' || method === 'HEAD') return next();
  next(
    new Problem('method_not_allowed', 'This board is read-only.', {
      headers: { Allow: 'GET, HEAD' },
    }),
  );
};

const self = ["'self'"];

/** Allows Bull Board's inline styles, not the fonts that it loads from another host. */
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
