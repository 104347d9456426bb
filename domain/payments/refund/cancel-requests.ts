import { formatNaira } from '../../shared/money.ts';
import { statusesBefore } from '../../shared/transitions.ts';
import type { Tx } from '../../shared/tx.ts';
import { appendTimeline } from '../timeline/timeline.ts';
import { refundTransitions } from './transitions.ts';

/**
 * Cancels the refund requests that wait for an Owner, with the reason in a sentence. The charge
 * must be locked.
 */
export async function cancelRequests(
  tx: Tx,
  charge: { id: string; tenant_id: string; mode: string },
  reason: string,
): Promise<void> {
  const cancelled = await tx.sql.query<{ id: string; amount_kobo: number }>(
    `update refunds set status = 'cancelled', rejection_reason = $2 where charge_id = $1
     and status = any($3) returning id, amount_kobo`,
    [charge.id, reason, statusesBefore(refundTransitions, 'cancelled')],
  );
  const entries = cancelled.map(({ id, amount_kobo: amountKobo }) => {
    return {
      what: 'refund.cancelled',
      detail: `The refund of ${formatNaira(amountKobo)} was cancelled (${id}). ${reason}`,
      amountKobo,
    };
  });
  await appendTimeline(tx, charge, entries);
}
