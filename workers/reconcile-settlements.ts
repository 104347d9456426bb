import type { Context } from '../config/context.ts';
import { payoutDesk } from '../config/settlement-source.ts';
import { READING_MS } from '../domain/jobs.ts';
import { isDeferral } from '../domain/providers/provider.ts';
import { reconcile, type Span } from '../domain/settlements/settlement/reconcile.ts';
import { type ClaimedRow, type JobHandler, later, laterAfter, type Outcome } from './pool.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Payouts dated this far back are looked at again every time: providers correct them, and pay out what they had missed. */
const LOOK_BACK_MS = 14 * DAY_MS;
/** And this far ahead: the ones that are on their way. */
const LOOK_AHEAD_MS = 7 * DAY_MS;

interface TaskRow extends ClaimedRow {
  connection_id: string;
  snoozes: number;
  /** When it was last done; null: never. */
  done_at: Date | null;
  /** A round that was cut short, dates as text. */
  progress: Stored | null;
}

type Stored = Omit<Span, 'from' | 'to'> & { from: string; to: string };

/** Reconciles a connection every hour. A disabled one too: what was paid through it is still paid out. */
export const reconcileSettlements: JobHandler<TaskRow> = { queue: 'settlement-reconcile', work };

async function work(context: Context, task: TaskRow): Promise<Outcome> {
  const span = task.progress
    ? { ...task.progress, from: new Date(task.progress.from), to: new Date(task.progress.to) }
    : spanOf(task, context.clock());
  const { isDone, error, rest } = await reconcile(
    await payoutDesk(context, task.connection_id, READING_MS),
    span,
  );
  await context.db.query(
    'update connection_tasks set progress = $2, done_at = coalesce($3, done_at) where id = $1 and tries = $4',
    [
      task.id,
      rest === null ? null : JSON.stringify(rest),
      isDone ? new Date(span.to.getTime() - LOOK_AHEAD_MS) : null,
      task.tries,
    ],
  );
  if (error)
    return isDeferral(error)
      ? laterAfter(task, error, context.clock())
      : later(after(context, 5 * MINUTE_MS), error.message);
  if (!isDone) return later(context.clock(), 'there is more to read', { snoozes: true });
  return later(after(context, HOUR_MS), 'reconciled');
}

/** Nothing is passed over where nobody looked for longer than that. */
function spanOf({ done_at: doneAt }: TaskRow, now: Date): Span {
  const lastMs = Math.min(doneAt?.getTime() ?? now.getTime(), now.getTime());
  return { from: new Date(lastMs - LOOK_BACK_MS), to: new Date(now.getTime() + LOOK_AHEAD_MS) };
}

function after({ clock }: Context, ms: number): Date {
  return new Date(clock().getTime() + ms);
}
