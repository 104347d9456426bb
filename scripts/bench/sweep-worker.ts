import { openContext } from '../../config/context.ts';
import { readEnv } from '../../config/env.ts';
import { runUntilStopped, untilAborted } from '../../config/main.ts';
import { completed, type JobHandler } from '../../workers/job-handler.ts';
import { startPool } from '../../workers/pool.ts';

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
  const pool = startPool(context, completeAtOnce);
  const probing = setInterval(() => void context.queues.probe(), 1_000);
  await untilAborted(stopped);
  clearInterval(probing);
  await pool.close();
});
