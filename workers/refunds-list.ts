import type { Context } from '../config/context.ts';
import { type ClaimedTask, SELECT_TASKS } from '../domain/accounts/connection/tasks.ts';
import { READING_MS } from '../domain/jobs.ts';
import { adoptListedRefunds } from '../domain/payments/facts/adopt-listed-refunds.ts';
import { nextRoundAfterFailure } from '../domain/payments/listing/round.ts';
import {
  type CopyContext,
  type CopyUpdate,
  renewGeneration,
  updateCopy,
} from '../domain/payments/refund-listing/update-copy.ts';
import type { Provider } from '../domain/providers/port/provider.ts';
import { ProviderError } from '../domain/providers/port/provider-error.ts';
import { MINUTE_MS } from '../domain/shared/units.ts';
import { endRound } from './end-round.ts';
import { eachRow, type JobHandler, type Outcome } from './job-handler.ts';

/** `failures`: updates that failed one after another. */
type ListTask = ClaimedTask<{ failures: number }>;

/**
 * Keeps the copy of an account's refunds nearly up to date, so that little is left to read when one
 * is sent, and records those made in the provider's dashboard; of disabled connections too.
 */
export const listRefunds: JobHandler<ListTask> = {
  queue: 'refunds-list',
  select: SELECT_TASKS,
  handle: eachRow(list),
};

async function list(context: Context, task: ListTask): Promise<Outcome> {
  const { clock } = context;
  const startedMs = performance.now();
  const hasTime = () => performance.now() - startedMs < READING_MS;
  const provider = context.providerOf(task.connection, 'check');
  const reading = { provider, connectionId: task.connection_id, hasTime };
  const { result, added } = await update(context, reading);
  if (result instanceof ProviderError) return postpone(context, task, result);
  const adopted = await adopt(context, reading);
  if (adopted.error) return postpone(context, task, adopted.error);
  const isDone = result === 'current';
  const doneAt = isDone ? clock() : null;
  const dueAt = isDone ? nextUpdateAt(clock(), added, adopted.isMore) : null;
  return endRound(context, task, { progress: null, doneAt, dueAt });
}

type Reading = { provider: Provider; connectionId: string; hasTime: () => boolean };

function adopt({ db, inTx, clock, timeouts }: Context, reading: Reading) {
  return adoptListedRefunds({ db, inTx, clock, timeoutMs: timeouts.verifyMs, ...reading });
}

async function update(
  { inTx, clock, timeouts }: Context,
  { provider, connectionId, hasTime }: Reading,
): Promise<CopyUpdate> {
  const copying: CopyContext = {
    ...{ inTx, clock, provider, connectionId },
    timeoutMs: () => timeouts.listMs,
    mayRead: hasTime,
  };
  const updated = await updateCopy(copying, clock());
  const isRenewed = updated.result === 'current' && (await renewGeneration(copying));
  return isRenewed ? updateCopy(copying, clock()) : updated;
}

function postpone(context: Context, task: ListTask, error: ProviderError): Promise<Outcome> {
  const failures = (task.progress?.failures ?? 0) + 1;
  const againAt = nextRoundAfterFailure(context.clock(), failures);
  const round = { progress: { failures }, doneAt: null, dueAt: null };
  return endRound(context, task, round, { error, againAt });
}

/** More than a page, at a provider whose pages are short. */
const MANY = 20;

/** The more refunds there are, or are left to adopt, the sooner. */
function nextUpdateAt(now: Date, added: number, isMore: boolean): Date {
  const minutes = added > MANY || isMore ? 2 : added > 0 ? 15 : 60;
  return new Date(now.getTime() + minutes * MINUTE_MS);
}
