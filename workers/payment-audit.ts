import type { Context } from '../config/context.ts';
import { settlementContext } from '../config/settlement-context.ts';
import { type ClaimedTask, SELECT_TASKS } from '../domain/accounts/connection/tasks.ts';
import { READING_MS } from '../domain/jobs.ts';
import { auditPayments } from '../domain/settlements/payment-audit/audit.ts';
import type { AuditSpan } from '../domain/settlements/payment-audit/context.ts';
import { DAY_MS, MINUTE_MS } from '../domain/shared/units.ts';
import { endRound } from './end-round.ts';
import { eachRow, type JobHandler, type Outcome } from './job-handler.ts';
import { nextNight } from './next-night.ts';

/** Slow transfers carry the date on which they were begun. */
const LOOK_BACK_MS = 3 * DAY_MS;
/** Younger payments are left to the next night: their notification may still arrive. */
const NOTIFIED_WITHIN_MS = 15 * MINUTE_MS;

type AuditTask = ClaimedTask<Omit<AuditSpan, 'from' | 'to'> & { from: string; to: string }>;

export const auditPaymentsNightly: JobHandler<AuditTask> = {
  queue: 'payment-audit',
  select: SELECT_TASKS,
  handle: eachRow(audit),
};

async function audit(context: Context, task: AuditTask): Promise<Outcome> {
  const { clock } = context;
  const span = restOf(task, clock()) ?? spanOf(task, clock());
  const { rest, error } = await auditPayments(
    settlementContext(context, task.connection, READING_MS),
    span,
  );
  const doneAt = rest === null ? span.to : null;
  const dueAt = rest === null && !error ? nextNight(clock()) : null;
  const againAt = new Date(clock().getTime() + 5 * MINUTE_MS);
  return endRound(context, task, { progress: rest, doneAt, dueAt }, error && { error, againAt });
}

/** Continues a cut round for a day at most: one bad payment would hold up all later ones. */
function restOf({ progress }: AuditTask, now: Date): AuditSpan | undefined {
  if (progress === null || Date.parse(progress.to) < now.getTime() - DAY_MS) return undefined;
  return { ...progress, from: new Date(progress.from), to: new Date(progress.to) };
}

/** The span reaches back to the last round where that is longer ago. */
function spanOf({ done_at: doneAt }: AuditTask, now: Date): AuditSpan {
  const to = new Date(now.getTime() - NOTIFIED_WITHIN_MS);
  const from = new Date(Math.min(doneAt?.getTime() ?? to.getTime(), to.getTime()) - LOOK_BACK_MS);
  return { from, to, cursor: null, isListed: false };
}
