import { formatNaira } from '../../shared/money.ts';
import type { Tx } from '../../shared/tx.ts';
import type { ChargeRow } from '../charge/row.ts';
import { appendTimeline } from '../timeline/timeline.ts';

/** What becomes of requests that can never be agreed to any more, in a sentence. */
const WHOLE_IS_BACK = 'The charge was refunded in full.';

/** Cancels what still waits for an Owner when nothing of the charge is left to go back. The charge must be locked. */
export async function cancelRequests(
  tx: Tx,
  charge: Pick<ChargeRow, 'id' | 'tenant_id' | 'mode'>,
): Promise<void> {
  const cancelled = await tx.sql.query<{ id: string; amount_kobo: number }>(
    `update refunds set status = 'cancelled', rejection_reason = $2 where charge_id = $1 and status = 'requested' returning id, amount_kobo`,
    [charge.id, WHOLE_IS_BACK],
  );
  const entries = cancelled.map(({ id, amount_kobo: amountKobo }) => {
    return {
      what: 'refund.cancelled',
      detail: `The refund of ${formatNaira(amountKobo)} was cancelled (${id}). ${WHOLE_IS_BACK}`,
      amountKobo,
    };
  });
  await appendTimeline(tx, charge, entries);
}
