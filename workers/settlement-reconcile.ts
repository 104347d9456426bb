import type { Context } from '../config/context.ts';
import { settlementContext } from '../config/settlement-context.ts';
import { type ClaimedTask, SELECT_TASKS } from '../domain/accounts/connection/tasks.ts';
import { READING_MS } from '../domain/jobs.ts';
import type { Span } from '../domain/settlements/settlement/context.ts';
import { reconcile } from '../domain/settlements/settlement/reconcile.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../domain/shared/units.ts';
import { endRound } from './end-round.ts';
import { eachRow, type JobHandler, type Outcome } from './job-handler.ts';

/** Read again: providers correct payouts, and pay out what they missed before. */
const LOOK_BACK_MS = 14 * DAY_MS;
/** Payouts that have not landed yet. */
const LOOK_AHEAD_MS = 7 * DAY_MS;

type SettlementTask = ClaimedTask<Omit<Span, 'from' | 'to'> & { from: string; to: string }>;

/** Reconciles a connection every hour, also a disabled one: its payments are still paid out. */
export const reconcileSettlements: JobHandler<SettlementTask> = {
  queue: 'settlement-reconcile',
  select: SELECT_TASKS,
  handle: eachRow(reconcileConnection),
};

async function reconcileConnection(context: Context, task: SettlementTask): Promise<Outcome> {
  const span = task.progress
    ? { ...task.progress, from: new Date(task.progress.from), to: new Date(task.progress.to) }
    : spanOf(task, context.clock());
  const { isDone, error, rest } = await reconcile(
    settlementContext(context, task.connection, READING_MS),
    span,
  );
  const doneAt = isDone ? new Date(span.to.getTime() - LOOK_AHEAD_MS) : null;
  const dueAt = isDone && !error ? after(context, HOUR_MS) : null;
  const againAt = after(context, 5 * MINUTE_MS);
  return endRound(context, task, { progress: rest, doneAt, dueAt }, error && { error, againAt });
}

/** The span reaches back to the last round where that is longer ago. */
function spanOf({ done_at: doneAt }: SettlementTask, now: Date): Span {
  const lastMs = Math.min(doneAt?.getTime() ?? now.getTime(), now.getTime());
  return { from: new Date(lastMs - LOOK_BACK_MS), to: new Date(now.getTime() + LOOK_AHEAD_MS) };
}

function after({ clock }: Context, ms: number): Date {
  return new Date(clock().getTime() + ms);
}
