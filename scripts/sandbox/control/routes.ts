import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import type { SandboxContext } from '../context.ts';
import { registerAccounts } from './accounts.ts';
import { dispute } from './dispute.ts';
import { expireAccessTokens } from './expire-tokens.ts';
import { faults } from './faults.ts';
import { forget } from './forget.ts';
import { pay } from './pay.ts';
import { payments } from './payments.ts';
import { refund } from './refund.ts';
import { type ControlRoute, inputCheck } from './route.ts';
import { settle } from './settle.ts';
import { settlement } from './settlement.ts';
import { stats } from './stats.ts';
import { stranger } from './stranger.ts';

const routes: ControlRoute[] = [
  registerAccounts,
  pay,
  stranger,
  forget,
  refund,
  dispute,
  settle,
  settlement,
  faults,
  expireAccessTokens,
  stats,
  payments,
];
const checked = routes.map((route) => ({ ...route, check: inputCheck(route) }));

/**
 * The control side: what customers, banks and bad luck do, over HTTP. It needs no credential, which
 * is why the sandbox listens on loopback only.
 */
export function controlRoutes(context: SandboxContext): Router {
  const router = express.Router();
  // Whatever its content type says, a body is read as JSON: one left unread would pass for empty,
  // and empty means "no faults".
  router.use(express.json({ limit: '100kb', type: () => true }));
  for (const route of checked) {
    router[route.method](route.path, async (request, response) => {
      const input = route.method === 'get' ? { ...request.query } : (request.body ?? {});
      const problem = route.check(input);
      const answer = problem
        ? { status: 400, body: { error: problem } }
        : await route.handle(context, input as never);
      response.status(answer.status).json(answer.body);
    });
  }
  router.use(
    (request, response) =>
      void response
        .status(404)
        .json({ error: `there is no ${request.method} ${request.originalUrl}` }),
  );
  router.use(
    (error: { status?: number }, request: Request, response: Response, _next: NextFunction) => {
      if (error.status && error.status < 500)
        return void response.status(error.status).json({ error: 'body is not readable JSON' });
      context.log('control failed', { path: request.path, error: String(error) });
      response.status(500).json({ error: 'the sandbox failed; its log says why' });
    },
  );
  return router;
}
