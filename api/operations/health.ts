import express from 'express';
import type { Context } from '../../config/context.ts';
import { withDeadline } from '../../config/deadline.ts';
import { remembered } from '../../config/remembered.ts';

/** A store that takes longer than this is not ready. */
const READY_WITHIN_MS = 2_000;
/** Anybody may ask, as often as they like: the stores are asked once a second. */
const READY_FOR_MS = 1_000;

/**
 * `/healthz`: the process is alive. `/readyz`: its database answers and every migration was run.
 * The state of the queues is reported, but not required. A process that is stopping is not ready:
 * load balancers turn away from it while it still answers.
 */
export function healthRoutes(context: Context, stopping?: AbortSignal): express.Router {
  const router = express.Router();
  router.get('/healthz', (_request, response) => void response.json({ status: 'alive' }));
  const readChecks = remembered(() => check(context), { isGood: allPass, forMs: READY_FOR_MS });
  router.get('/readyz', async (_request, response) => {
    if (stopping?.aborted) return void response.status(503).json({ status: 'stopping' });
    const checks = await readChecks();
    const ready = checks.database && checks.migrations;
    response.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'not ready', checks });
  });
  return router;
}

interface Checks {
  database: boolean;
  migrations: boolean;
  queues: boolean;
}

async function check({ db, orm, queues }: Context): Promise<Checks> {
  const [database, migrations, queueStore] = await Promise.all([
    passes(() => db.query('select 1')),
    passes(async () => {
      const pending = await orm.migrator.getPending();
      if (pending.length > 0) throw new Error('migrations are pending');
    }),
    passes(() => queues.all.get('charge-create')!.getJobCounts('waiting')),
  ]);
  return { database, migrations, queues: queueStore };
}

function allPass(checks: Checks): boolean {
  return Object.values(checks).every(Boolean);
}

async function passes(check: () => Promise<unknown>): Promise<boolean> {
  return withDeadline(check(), READY_WITHIN_MS).then(
    () => true,
    () => false,
  );
}
