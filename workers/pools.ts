import type { Context } from '../config/context.ts';
import { ConfigurationError } from '../config/env.ts';
import { HOUSEKEEPING, type QueueName, queueNames } from '../domain/jobs.ts';
import { checkCharge } from './check-charge.ts';
import { createCharge } from './create-charge.ts';
import { deliverWebhook } from './deliver-webhook.ts';
import { keepHouse } from './housekeeping.ts';
import { type Duty, type Pool, startPool } from './pool.ts';
import { processNotification } from './process-notification.ts';
import { startSweeper } from './sweep.ts';

/** The fleet: every duty that works through rows. */
export const duties: readonly Duty<never>[] = [createCharge, checkCharge, processNotification, deliverWebhook];

/** Work in hand is given this long to finish; what is not done then is brought back by its lease. */
const CLOSE_WITHIN_MS = 25_000;

/** The pools a command names, or all of them. Throws one sentence for a name that is none. */
export function poolsNamed(names: readonly string[]): readonly QueueName[] {
  const unknown = names.find((name) => !queueNames.includes(name as QueueName));
  if (unknown !== undefined) throw new ConfigurationError(`There is no pool "${unknown}". The pools are ${queueNames.join(', ')}.`);
  return names.length > 0 ? (names as QueueName[]) : queueNames;
}

/** Starts the named pools and the sweeper. Disposing stops taking work, finishes what is in hand, and never hangs. */
export function startPools(context: Context, names: readonly QueueName[] = queueNames): AsyncDisposable {
  const workers = duties.filter((duty) => names.includes(duty.queue)).map((duty) => startPool(context, duty));
  if (names.includes(HOUSEKEEPING)) workers.push(startHousekeeping(context));
  const sweeper = startSweeper(context);
  return {
    async [Symbol.asyncDispose]() {
      await sweeper[Symbol.asyncDispose]();
      await closeWithin(workers, CLOSE_WITHIN_MS);
    },
  };
}

function startHousekeeping(context: Context): Pool {
  const onError = (error: Error) => context.log.warn('worker', { queue: HOUSEKEEPING, error: error.message });
  const work = async () => {
    const counts = await keepHouse(context);
    context.log.info('job', { queue: HOUSEKEEPING, outcome: 'done', ...counts });
    return counts;
  };
  return context.queues.startWorker(HOUSEKEEPING, work, { concurrency: 1, onError });
}

async function closeWithin(workers: Pool[], ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([Promise.all(workers.map((worker) => worker.close())), late]);
  clearTimeout(timer);
}
