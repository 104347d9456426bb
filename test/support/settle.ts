import { setImmediate } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { Context } from '../../config/context.ts';
import { queueNames, queues } from '../../domain/jobs.ts';
import type { Sandbox } from '../../scripts/sandbox/sandbox.ts';
import type { Pools } from '../../workers/pools.ts';
import { until } from './until.ts';

/** Far more rounds than any story needs: a row that is enqueued for ever is a defect. */
const MOST_ROUNDS = 60;

/** Waits until the workers have done all that is due, and all that follows from it. */
export async function settle(context: Context, sandbox: Sandbox, started: readonly Pools[]) {
  const arePoolsIdle = () => started.every((pools) => pools.isIdle());
  for (let round = 0; round < MOST_ROUNDS; round++) {
    // A notification goes out while the job that caused it ends, and is a job in its turn.
    do {
      await until('idle pools', async () => arePoolsIdle(), BETWEEN_LOOKS_MS);
      await queuesAreIdle(context);
    } while ((await hadWork(sandbox)) || !arePoolsIdle());
    const isIdle = async () => arePoolsIdle() && (await looksIdle(context)) && arePoolsIdle();
    if (!(await isAnythingDue(context)) && (await isIdle())) return;
    const swept = await Promise.all(started.map((pools) => pools.sweep()));
    // What the workers' own sweep has just begun with is not in ours, and is work all the same.
    if (swept.every((groups) => groups === 0) && (await isIdle())) return;
  }
  throw new Error(`The workers did not become idle in ${MOST_ROUNDS} rounds.`);
}

async function isAnythingDue({ db, clock }: Context): Promise<boolean> {
  return (await db.query(DUE, [clock()])).length > 0;
}

const DUE = Object.values(queues)
  .map(({ table, where }) => `(select from ${table} where due_at <= $1 and ${where} limit 1)`)
  .join(' union all ');

/** Resolves once the sandbox is idle: whether it was not. */
async function hadWork(sandbox: Sandbox): Promise<boolean> {
  const idle = sandbox.idle().then(() => false);
  const had = await Promise.race([idle, setImmediate(true)]);
  await idle;
  return had;
}

/** A job takes longer, and each look takes time from it. */
const BETWEEN_LOOKS_MS = 5;

/**
 * Resolves when no job waits or runs; delayed jobs do not count. Looks twice: a job may enqueue
 * another as it ends.
 */
export async function queuesAreIdle(context: Context): Promise<void> {
  const isIdle = async () => (await looksIdle(context)) && looksIdle(context);
  await until('idle queues', isIdle, BETWEEN_LOOKS_MS);
}

async function looksIdle({ dispatcher, queues, db }: Context): Promise<boolean> {
  await dispatcher.idle();
  if (queues.kind === 'postgres') return (await db.query(BUSY)).length === 0;
  const worked = queueNames.map((name) => queues.all.get(name)!);
  const { client } = worked[0]!.backend as unknown as { client: Promise<Redis> };
  // One command looks at all queues at one moment, so that no job moves between two looks.
  return (
    (await (
      await client
    ).exists(
      worked.flatMap((queue) =>
        ['wait', 'prioritized', 'active'].map((state) => queue.toKey(state)),
      ),
    )) === 0
  );
}

/**
 * Asked thousands of times in a run of the tests: one look at all queues costs a tenth of counting
 * each queue's jobs.
 */
const BUSY = `select 1 from bullmq.job where state in ('waiting', 'active') limit 1`;
