import { type Actor, recordChange } from '../../accounts/audit-log/record-change.ts';
import type { Job } from '../../jobs.ts';
import { Problem } from '../../shared/problems.ts';
import type { Tx } from '../../shared/tx.ts';
import type { ChargeRow } from '../charge/row.ts';
import type { ChargeStatus } from '../charge/transitions.ts';
import { appendTimeline } from '../timeline/timeline.ts';
import { expireWhenQuiet } from './expire.ts';
import { firstCheckAfterCancel } from './schedule.ts';

/**
 * Writes down that the merchant wants a charge cancelled. Where no provider can hold money for it, it fails at once; else it fails when
 * every payment that could was asked about from now on, and nothing new is opened for it. Asked again, or for a charge that failed, it
 * changes nothing. Throws `invalid_state` when money has come. Returns the jobs to enqueue after the commit.
 */
export async function requestCancel(tx: Tx, actor: Actor, chargeId: string): Promise<Job[]> {
  const [charge] = await tx.sql.query<ChargeRow>('select * from charges where id = $1 for update', [
    chargeId,
  ]);
  requireNoMoney(charge!);
  if (charge!.status === 'failed') return [];
  if (charge!.cancel_requested_at === null) await writeWish(tx, actor, charge!);
  return expireWhenQuiet(tx, chargeId);
}

/** Brings the checks of its payments forward. They need no bell of their own: the sweeper hears of them when they are due. */
async function writeWish(tx: Tx, actor: Actor, charge: ChargeRow): Promise<void> {
  const { sql, now } = tx;
  await sql.query('update charges set cancel_requested_at = $2 where id = $1', [charge.id, now]);
  await sql.query(
    `update attempts set due_at = least(due_at, $2) where charge_id = $1 and status in ('open', 'lost')`,
    [charge.id, firstCheckAfterCancel(now)],
  );
  await appendTimeline(tx, charge, [
    { what: 'charge.cancel_requested', detail: 'The merchant asked to cancel the charge.' },
  ]);
  await recordChange(tx, actor, 'charge.cancel_requested', charge.id, `SV-${charge.number}`);
}

/** What there is to say where money has come; null: none has. */
const obstacles: Record<ChargeStatus, string | null> = {
  initiated: null,
  pending: null,
  failed: null,
  succeeded: 'The charge was paid, so it cannot be cancelled any more. Refund it instead.',
  settled: 'The charge was paid, so it cannot be cancelled any more. Refund it instead.',
  refunded: 'The charge was paid, and refunded in full: there is nothing to cancel.',
  disputed: 'The charge was paid and is disputed, so it cannot be cancelled any more.',
};

/** Throws `invalid_state` when a charge holds money: its own, or too little of it, about which a person decides. */
export function requireNoMoney({ status, review }: Pick<ChargeRow, 'status' | 'review'>): void {
  const isHeld = (status === 'initiated' || status === 'pending') && review.includes('underpaid');
  const obstacle = isHeld
    ? 'Less than was asked has been paid: it has to be accepted or sent back before anything else.'
    : obstacles[status];
  if (obstacle !== null) throw new Problem('invalid_state', obstacle);
}
