import { formatNaira } from '../../shared/money.ts';
import type { Tx } from '../../shared/tx.ts';
import { appendTimeline } from '../timeline/timeline.ts';
import { writeCancelled } from './store.ts';

/** Cancels requests that wait for an Owner. The charge must be locked. */
export async function cancelRequests(
  tx: Tx,
  charge: { id: string; tenant_id: string; mode: string },
  reason: string,
): Promise<void> {
  const cancelled = await writeCancelled(tx, charge.id, reason);
  const entries = cancelled.map(({ id, amount_kobo: amountKobo }) => {
    return {
      what: 'refund.cancelled',
      detail: `The refund of ${formatNaira(amountKobo)} was cancelled (${id}). ${reason}`,
      amountKobo,
    };
  });
  await appendTimeline(tx, charge, entries);
}
