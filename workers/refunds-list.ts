import type { Context } from '../config/context.ts';
import { findConnection } from '../domain/accounts/connection/connection.ts';
import { type ClaimedTask, recordRound } from '../domain/accounts/connection/tasks.ts';
import { READING_MS } from '../domain/jobs.ts';
import { nextRoundAfterFailure } from '../domain/payments/listing/round.ts';
import {
  type CopyContext,
  type CopyUpdate,
  renewGeneration,
  updateCopy,
} from '../domain/payments/refund-listing/update-copy.ts';
import { isDeferral, ProviderError } from '../domain/providers/provider.ts';
import {
  completed,
  eachRow,
  type JobHandler,
  type Outcome,
  retry,
  retryOrSnooze,
  snooze,
} from './job-handler.ts';

/** `failures`: updates that failed one after another. */
type ListTask = ClaimedTask<{ failures: number }>;

/**
 * Keeps the copy of an account's refunds nearly up to date, so that little of the list is left to
 * read when a refund is sent. Disabled connections are read too: their refunds are still checked.
 */
export const listRefunds: JobHandler<ListTask> = { queue: 'refunds-list', handle: eachRow(list) };

async function list(context: Context, task: ListTask): Promise<Outcome> {
  const { db, clock } = context;
  const { result, added } = await update(context, task.connection_id);
  if (result instanceof ProviderError) return postpone(context, task, result);
  const isDone = result === 'current';
  const dueAt = isDone ? nextUpdateAt(clock(), added) : null;
  await recordRound(db, task, { progress: null, doneAt: isDone ? clock() : null, dueAt });
  return isDone ? completed() : snooze(clock(), 'there are more pages to read');
}

async function update(context: Context, connectionId: string): Promise<CopyUpdate> {
  const { db, inTx, clock, timeouts } = context;
  const provider = context.providerOf((await findConnection(db, connectionId))!, 'check');
  const startedMs = performance.now();
  const copying: CopyContext = {
    ...{ inTx, clock, provider, connectionId },
    timeoutMs: () => timeouts.listMs,
    mayRead: () => performance.now() - startedMs < READING_MS,
  };
  const updated = await updateCopy(copying, clock());
  const isRenewed = updated.result === 'current' && (await renewGeneration(copying));
  return isRenewed ? updateCopy(copying, clock()) : updated;
}

async function postpone(
  { db, clock }: Context,
  task: ListTask,
  error: ProviderError,
): Promise<Outcome> {
  const failures = (task.progress?.failures ?? 0) + 1;
  await recordRound(db, task, { progress: { failures }, doneAt: null, dueAt: null });
  return isDeferral(error)
    ? retryOrSnooze(task, error, clock())
    : retry(nextRoundAfterFailure(clock(), failures), error.message);
}

const MINUTE_MS = 60_000;
/** More than a page, at a provider whose pages are short. */
const MANY = 20;

/** When the next update is due: the more refunds there are, the sooner. */
function nextUpdateAt(now: Date, added: number): Date {
  const minutes = added > MANY ? 2 : added > 0 ? 15 : 60;
  return new Date(now.getTime() + minutes * MINUTE_MS);
}
