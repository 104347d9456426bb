import express from 'express';
import type { Context } from '../../config/context.ts';
import { withDeadline } from '../../config/deadline.ts';

/** A store that takes longer than this is not ready. */
const READY_WITHIN_MS = 2_000;

/**
 * `/healthz`: the process is alive. `/readyz`: its database answers and every migration was run.
 * The state of the queues is reported, but not required. A process that is stopping is not ready:
 * load balancers turn away from it while it still answers.
 */
export function healthRoutes(context: Context, stopping?: AbortSignal): express.Router {
  const router = express.Router();
  router.get('/healthz', (_request, response) => void response.json({ status: 'alive' }));
  router.get('/readyz', async (_request, response) => {
    if (stopping?.aborted) return void response.status(503).json({ status: 'stopping' });
    const checks = {
      database: await passes(() => context.db.query('select 1')),
      migrations: await passes(async () => {
        const pending = await context.orm.migrator.getPending();
        if (pending.length > 0) throw new Error('migrations are pending');
      }),
      queues: await passes(() => context.queues.all.get('charge-create')!.getJobCounts('waiting')),
    };
    const ready = checks.database && checks.migrations;
    response.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'not ready', checks });
  });
  return router;
}

async function passes(check: () => Promise<unknown>): Promise<boolean> {
  return withDeadline(check(), READY_WITHIN_MS).then(
    () => true,
    () => false,
  );
}
