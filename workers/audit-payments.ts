import type { Context } from '../config/context.ts';
import { payoutDesk } from '../config/settlement-source.ts';
import { READING_MS } from '../domain/jobs.ts';
import { isDeferral } from '../domain/providers/provider.ts';
import { auditPayments } from '../domain/settlements/payment-audit/audit.ts';
import type { AuditSpan } from '../domain/settlements/payment-audit/desk.ts';
import { type ClaimedRow, type JobHandler, later, laterAfter, type Outcome } from './pool.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Payments of the last days are compared every night: slow transfers are dated when they were begun. */
const LOOK_BACK_MS = 3 * DAY_MS;
/** Notifications of what was paid a moment ago may still be on their way. */
const SETTLED_DOWN_MS = 15 * MINUTE_MS;
/** Half past two in Lagos: few pay, and the payouts of the day are under way. */
const AT_UTC_MS = 90 * MINUTE_MS;

interface TaskRow extends ClaimedRow {
  connection_id: string;
  snoozes: number;
  done_at: Date | null;
  /** A round that was cut short, dates as text. */
  progress: Stored | null;
}

type Stored = Omit<AuditSpan, 'from' | 'to'> & { from: string; to: string };

/** Compares a connection's payments of the last days with its provider's own list, every night. */
export const auditPaymentsNightly: JobHandler<TaskRow> = { queue: 'payment-audit', work };

async function work(context: Context, task: TaskRow): Promise<Outcome> {
  const { db, clock } = context;
  const span = restOf(task, clock()) ?? spanOf(task, clock());
  const { rest, error } = await auditPayments(
    await payoutDesk(context, task.connection_id, READING_MS),
    span,
  );
  await db.query(
    'update connection_tasks set progress = $2, done_at = coalesce($3, done_at) where id = $1 and tries = $4',
    [
      task.id,
      rest === null ? null : JSON.stringify(rest),
      rest === null ? span.to : null,
      task.tries,
    ],
  );
  if (error)
    return isDeferral(error)
      ? laterAfter(task, error, clock())
      : later(new Date(clock().getTime() + 5 * MINUTE_MS), error.message);
  return rest
    ? later(clock(), 'there is more to read', { snoozes: true })
    : later(nextNight(clock()), 'compared');
}

/** A round that was cut short is gone on with for a day. After that one payment that cannot be asked about would hold up all later ones. */
function restOf({ progress }: TaskRow, now: Date): AuditSpan | undefined {
  if (progress === null || Date.parse(progress.to) < now.getTime() - DAY_MS) return undefined;
  return { ...progress, from: new Date(progress.from), to: new Date(progress.to) };
}

/** Nothing is passed over where nobody looked for longer than that. */
function spanOf({ done_at: doneAt }: TaskRow, now: Date): AuditSpan {
  const to = new Date(now.getTime() - SETTLED_DOWN_MS);
  const from = new Date(Math.min(doneAt?.getTime() ?? to.getTime(), to.getTime()) - LOOK_BACK_MS);
  return { from, to, cursor: null, isListed: false };
}

function nextNight(now: Date): Date {
  const days = Math.floor((now.getTime() - AT_UTC_MS) / DAY_MS) + 1;
  return new Date(days * DAY_MS + AT_UTC_MS);
}
