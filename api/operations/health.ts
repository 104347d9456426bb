import express from 'express';
import type { Context } from '../../config/context.ts';
import { createReadiness } from '../../config/readiness.ts';

/** `/readyz` turns load balancers away from a process that is stopping while it still answers. */
export function healthRoutes(context: Context, stopping?: AbortSignal): express.Router {
  const router = express.Router();
  router.get('/healthz', (_request, response) => void response.json({ status: 'alive' }));
  const readiness = createReadiness(context, stopping);
  router.get('/readyz', async (_request, response) => {
    const { isReady, body } = await readiness();
    response.status(isReady ? 200 : 503).json(body);
  });
  return router;
}
