import type { Context } from '../config/context.ts';
import {
  type ClaimedTask,
  recordRounds,
  SELECT_TASKS,
} from '../domain/accounts/connection/tasks.ts';
import { DISPUTES_MS, disputesAskedAtOnce, type Timeouts } from '../domain/jobs.ts';
import { markAsked, openDisputes } from '../domain/payments/dispute/find.ts';
import {
  askDisputes,
  askNewDisputes,
  type DisputeContext,
} from '../domain/payments/facts/ask-about-disputes.ts';
import type { CallOptions } from '../domain/providers/port/provider.ts';
import { ProviderError } from '../domain/providers/port/provider-error.ts';
import { timeLeft } from '../domain/shared/time-left.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../domain/shared/units.ts';
import { completed, eachRow, type JobHandler, type Outcome, retry, snooze } from './job-handler.ts';

const EVERY_MS = HOUR_MS;
const SOON_MS = 5 * MINUTE_MS;
/** Longer than any notification takes, or a deployment is down over a week-end. */
const LOOK_BACK_MS = 7 * DAY_MS;
/** Listed by this round or the one it continues: not checked again. */
const LISTED_LATELY_MS = EVERY_MS / 2;

/**
 * Asks a provider hourly for new disputes and the state of open ones, so that those without a
 * notification are found; of disabled connections too.
 */
export const checkDisputes: JobHandler<ClaimedTask> = {
  queue: 'dispute-check',
  select: SELECT_TASKS,
  handle: eachRow(check),
};

async function check(context: Context, task: ClaimedTask): Promise<Outcome> {
  const startedAt = context.clock();
  const connectionId = task.connection_id;
  const provider = context.providerOf(task.connection, 'check');
  const asking = { inTx: context.inTx, provider, connectionId };
  const options = walkOptions(context.timeouts);
  const listed = await askNewDisputes(asking, lookFrom(task, startedAt), options);
  if (listed instanceof ProviderError) return retry(after(context, SOON_MS), listed.message);
  const rest = await askOpen(
    context,
    asking,
    listed.map(({ providerDisputeId }) => providerDisputeId),
    startedAt,
  );
  if (rest.error) return retry(after(context, SOON_MS), rest.error.message);
  const dueAt = rest.isMore ? null : after(context, EVERY_MS);
  await recordRounds(context.db, [{ task, progress: null, doneAt: startedAt, dueAt }]);
  return rest.isMore ? snooze(after(context, SOON_MS), 'more open disputes to check') : completed();
}

function lookFrom({ done_at: doneAt }: ClaimedTask, now: Date): Date {
  const usual = new Date(now.getTime() - LOOK_BACK_MS);
  if (doneAt === null) return usual;
  const sinceDone = new Date(doneAt.getTime() - DAY_MS);
  return sinceDone < usual ? sinceDone : usual;
}

/** Open disputes that were not listed. What does not fit into this claim is left to the next. */
async function askOpen(
  { db, clock, timeouts }: Context,
  asking: DisputeContext,
  listed: readonly string[],
  now: Date,
): Promise<{ isMore: boolean; error?: ProviderError }> {
  const since = new Date(now.getTime() - LISTED_LATELY_MS);
  const payments = await openDisputes(
    { sql: db, now },
    { connectionId: asking.connectionId, listed, since, limit: disputesAskedAtOnce },
  );
  const leftMs = timeLeft(clock, DISPUTES_MS);
  for (const payment of payments) {
    if (leftMs() <= 1) return { isMore: true };
    await markAsked({ sql: db, now }, payment.captureId);
    const answer = await askDisputes(asking, payment, walkOptions(timeouts));
    if (answer instanceof ProviderError) return { isMore: true, error: answer };
  }
  return { isMore: payments.length === disputesAskedAtOnce };
}

function walkOptions({ verifyMs: timeoutMs, walkMs: totalMs }: Timeouts): CallOptions {
  return { timeoutMs, totalMs };
}

function after({ clock }: Context, ms: number): Date {
  return new Date(clock().getTime() + ms);
}
