import express from 'express';
import type { Context } from '../config/context.ts';

/** A store that takes longer than this is not ready. */
const READY_WITHIN_MS = 2_000;

/** `/healthz`: the process answers. `/readyz`: so do its database, with every migration run, and its queues. */
export function healthRoutes(context: Context): express.Router {
  const router = express.Router();
  router.get('/healthz', (_request, response) => void response.json({ status: 'alive' }));
  router.get('/readyz', async (_request, response) => {
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
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), READY_WITHIN_MS);
  });
  const outcome = await Promise.race([
    check().then(
      () => true,
      () => false,
    ),
    late,
  ]);
  clearTimeout(timer);
  return outcome;
}
