import type { Context } from './context.ts';
import { withDeadline } from './deadline.ts';
import { remembered } from './remembered.ts';

export type Readiness = { isReady: boolean; body: object };

const READY_WITHIN_MS = 2_000;
const READY_FOR_MS = 1_000;

/** The database answers with every migration run, and the process does not stop. */
export function createReadiness(
  context: Context,
  stopping?: AbortSignal,
): () => Promise<Readiness> {
  const readChecks = remembered(() => check(context), { isGood: allPass, forMs: READY_FOR_MS });
  return async () => {
    if (stopping?.aborted) return { isReady: false, body: { status: 'stopping' } };
    const checks = await readChecks();
    const isReady = checks.database && checks.migrations;
    return { isReady, body: { status: isReady ? 'ready' : 'not ready', checks } };
  };
}

type Checks = { database: boolean; migrations: boolean; queues: boolean };

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

const allPass = (checks: Checks): boolean => Object.values(checks).every(Boolean);

async function passes(check: () => Promise<unknown>): Promise<boolean> {
  return withDeadline(check(), READY_WITHIN_MS).then(
    () => true,
    () => false,
  );
}
