import { openContext } from '../../config/context.ts';
import { readEnv } from '../../config/env.ts';
import { runUntilStopped, untilAborted } from '../../config/main.ts';
import { completed, type JobHandler } from '../../workers/job-handler.ts';
import { watchPauses } from '../../workers/pauses.ts';
import { startPool } from '../../workers/pool.ts';
import { startSweeper } from '../../workers/sweeper.ts';

/** Completes each row at once: what is measured is everything around it. */
const completeAtOnce: JobHandler = {
  queue: 'charge-create',
  handle({ db, clock }, rows) {
    const ids = rows.map(({ id }) => id);
    const written = db.query(
      `update attempts set status = 'open', accepted_at = $2, due_at = null where id = any($1)`,
      [ids, clock()],
    );
    return rows.map(() => written.then(() => completed()));
  },
};

await runUntilStopped(async (stopped) => {
  await using context = await openContext(readEnv(process.env));
  const pauses = watchPauses(context.queues);
  const pool = startPool(context, completeAtOnce, pauses);
  const sweeper = startSweeper(context, { pools: [pool], pauses, sweeps: true });
  await untilAborted(stopped);
  await Promise.all([sweeper.close(), pool.close()]);
});
