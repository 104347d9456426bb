import type { Sql } from '../../domain/shared/sql.ts';
import type { SandboxContext } from './context.ts';
import type { Payment, Refund } from './records.ts';
import { settleRefund, stepMs } from './refunds.ts';
import { first } from './rows.ts';

/** What `find` finds, after the refunds of it whose time has come have moved. */
export async function findAdvanced<Found extends Payment>(
  context: SandboxContext,
  find: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  return advanced(context, await find(), find);
}

/** The same of what was read before. */
export async function advanced<Found extends Payment>(
  context: SandboxContext,
  found: Found | undefined,
  findAgain: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  if (!found?.refundDueAt || found.refundDueAt > context.now()) return found;
  await advanceRefunds(context);
  return findAgain();
}

/**
 * Moves every refund whose time has come, as many steps as are due. Safe to run from the timer and
 * from reads at once.
 */
export async function advanceRefunds(context: SandboxContext): Promise<void> {
  const due = await context.sql.query<{ id: number }>(
    'select id from sandbox.refund where due_at <= $1 order by id limit 500',
    [context.now()],
  );
  for (const { id } of due) await context.sql.transaction((tx) => advanceRefund(tx, context, id));
  if (due.length > 0) context.notifier.sendDue();
}

async function advanceRefund(tx: Sql, context: SandboxContext, refundId: number): Promise<void> {
  const now = context.now();
  const refund = await first<Refund>(
    tx,
    `update sandbox.refund
            set status = case status when 'pending' then 'processing' else ending end,
            updated_at = $2,
            due_at = case status when 'pending' then due_at + make_interval(secs => $3) end
      where id = $1 and due_at <= $2 returning *`,
    [refundId, now, stepMs / 1000],
  );
  if (!refund) return;
  await settleRefund(tx, context, refund);
  await advanceRefund(tx, context, refundId);
}
