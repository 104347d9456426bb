import type { Context } from '../config/context.ts';
import { withDeadline } from '../config/deadline.ts';
import { SetupError } from '../config/setup-error.ts';
import { HOUSEKEEPING, type QueueName } from '../domain/jobs.ts';
import { handlers } from './handlers.ts';
import { keepHouse } from './housekeeping.ts';
import { type Pool, startPool } from './pool.ts';
import { startSweeper } from './sweep.ts';

/** The fleet: a pool for each queue that is worked on. */
export const poolNames: readonly QueueName[] = [
  ...handlers.map(({ queue }) => queue),
  HOUSEKEEPING,
];

/** Work in hand is given this long to finish; what is not done then is brought back by its lease. */
const CLOSE_WITHIN_MS = 25_000;

/** The pools a command names, or all of them. Throws one sentence for a name that is none. */
export function poolsNamed(names: readonly string[]): readonly QueueName[] {
  const unknown = names.find((name) => !poolNames.includes(name as QueueName));
  if (unknown !== undefined)
    throw new SetupError(`There is no pool "${unknown}". The pools are ${poolNames.join(', ')}.`);
  return names.length > 0 ? (names as QueueName[]) : poolNames;
}

/** Starts the named pools and the sweeper. Disposing stops taking work, finishes what is in hand, and never hangs. */
export function startPools(
  context: Context,
  names: readonly QueueName[] = poolNames,
): AsyncDisposable {
  const workers = handlers
    .filter((handler) => names.includes(handler.queue))
    .map((handler) => startPool(context, handler));
  if (names.includes(HOUSEKEEPING)) workers.push(startHousekeeping(context));
  const sweeper = startSweeper(context);
  return {
    async [Symbol.asyncDispose]() {
      await sweeper[Symbol.asyncDispose]();
      const closed = Promise.all(workers.map((worker) => worker.close()));
      await withDeadline(closed, CLOSE_WITHIN_MS).catch((error: Error) => {
        context.log.warn('workers left with work in hand', { error: error.message });
      });
    },
  };
}

function startHousekeeping(context: Context): Pool {
  const onError = (error: Error) =>
    context.log.warn('worker', { queue: HOUSEKEEPING, error: error.message });
  const work = async () => {
    const counts = await keepHouse(context);
    context.log.info('job', { queue: HOUSEKEEPING, outcome: 'done', ...counts });
    return counts;
  };
  return context.queues.startWorker(HOUSEKEEPING, work, { concurrency: 1, onError });
}
