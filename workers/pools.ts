import type { Context } from '../config/context.ts';
import { withDeadline } from '../config/deadline.ts';
import { SetupError } from '../config/setup-error.ts';
import { HOUSEKEEPING, type QueueName, queueNames } from '../domain/jobs.ts';
import { checkBooksNightly } from './books-check.ts';
import { checkCharge } from './charge-check.ts';
import { createCharge } from './charge-create.ts';
import { checkDisputes } from './dispute-check.ts';
import { respondToDispute } from './dispute-respond.ts';
import { startHousekeeping } from './housekeeping.ts';
import type { JobHandler } from './job-handler.ts';
import { sendMail } from './mail-send.ts';
import { processNotification } from './notification-process.ts';
import { watchPauses } from './pauses.ts';
import { auditPaymentsNightly } from './payment-audit.ts';
import { createPaymentsLister } from './payments-list.ts';
import { startPool } from './pool.ts';
import { checkRefund } from './refund-check.ts';
import { executeRefund } from './refund-execute.ts';
import { listRefunds } from './refunds-list.ts';
import { reconcileSettlements } from './settlement-reconcile.ts';
import { type Sweeper, startSweeper } from './sweeper.ts';
import { createWebhookDeliverer } from './webhook-deliver.ts';

const handlersOf = (context: Context): readonly JobHandler[] => [
  createCharge,
  checkCharge,
  createPaymentsLister(context),
  listRefunds,
  processNotification,
  executeRefund,
  checkRefund,
  checkDisputes,
  respondToDispute,
  reconcileSettlements,
  auditPaymentsNightly,
  checkBooksNightly,
  createWebhookDeliverer(context),
  ...(context.mail ? [sendMail] : []),
];

/** Rows of jobs that do not finish are due again when their lease ends. */
const CLOSE_WITHIN_MS = 25_000;

/** All where none is named. Throws a `SetupError` for an unknown name. */
export function poolsNamed(names: readonly string[]): readonly QueueName[] {
  const unknown = names.find((name) => !queueNames.includes(name as QueueName));
  if (unknown !== undefined)
    throw new SetupError(`There is no pool "${unknown}". The pools are ${queueNames.join(', ')}.`);
  return names.length > 0 ? (names as QueueName[]) : queueNames;
}

export interface Pools extends AsyncDisposable, Pick<Sweeper, 'sweep'> {
  isIdle(): boolean;
}

export interface PoolsOptions {
  /** False in tests: nothing sweeps or schedules the housekeeping. */
  sweeps?: boolean;
}

/** Disposing begins no new job, finishes those in flight, and never hangs. */
export function startPools(
  context: Context,
  names: readonly QueueName[] = queueNames,
  { sweeps = true }: PoolsOptions = {},
): Pools {
  const pauses = watchPauses(context.queues);
  const pools = handlersOf(context)
    .filter(({ queue }) => names.includes(queue))
    .map((handler) => startPool(context, handler, pauses));
  const sweeper = startSweeper(context, { pools, pauses, sweeps });
  const housekeeping = names.includes(HOUSEKEEPING)
    ? startHousekeeping(context, { schedules: sweeps })
    : undefined;
  return {
    isIdle: () => sweeper.isIdle() && pools.every((pool) => pool.isIdle()),
    sweep: sweeper.sweep,
    async [Symbol.asyncDispose]() {
      const closing = [sweeper, ...pools, ...(housekeeping ? [housekeeping] : [])];
      const closed = Promise.all(closing.map((each) => each.close()));
      await withDeadline(closed, CLOSE_WITHIN_MS).catch((error: Error) => {
        context.log.warn('workers stopped with jobs in flight', { error: error.message });
      });
    },
  };
}
