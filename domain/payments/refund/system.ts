import type { Job } from '../../jobs.ts';
import { newId } from '../../shared/ids.ts';
import { formatNaira } from '../../shared/money.ts';
import type { Tx } from '../../shared/tx.ts';
import { appendTimeline } from '../timeline/timeline.ts';
import { goneOf } from './sums.ts';

/** Who asks for what the service sends back by itself. */
export const SYSTEM = 'system';

/** Money that is not the charge's own, and goes back to the payer. */
export interface SystemRefund {
  captureId: string;
  /**
   * What the payment is by now, and how much of it is not the charge's own: all of that is to go
   * back, with what went before.
   */
  paidKobo: number;
  excessKobo: number;
  /** Why, in a sentence: the provider keeps it with the refund. */
  reason: string;
}

/**
 * Promises to send money back that a charge did not ask for. It needs no Owner, is no part of the
 * charge's own refunds and tells the merchant by no event. What is on its way or gone already is
 * not promised again, so it is safe to repeat. The charge must be locked. Returns its job.
 */
export async function openSystemRefund(
  tx: Tx,
  charge: { id: string; tenant_id: string; mode: string },
  { captureId, paidKobo, excessKobo, reason }: SystemRefund,
): Promise<Job[]> {
  const { sql, now } = tx;
  const gone = await goneOf(sql, captureId);
  const amountKobo = Math.min(
    excessKobo - gone.systemKobo,
    paidKobo - gone.sentKobo - gone.waitingKobo,
  );
  if (amountKobo <= 0) return [];
  const id = newId('ref', now);
  await sql.query(
    `insert into refunds (id, tenant_id, mode, charge_id, capture_id, amount_kobo, reason, status,
       origin, requested_by, decided_at, approved_at, due_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, 'approved', 'system', $8, $9, $9, $9, $9)`,
    [id, charge.tenant_id, charge.mode, charge.id, captureId, amountKobo, reason, SYSTEM, now],
  );
  const detail = `${formatNaira(amountKobo)} goes back to the payer (${id}). ${reason}`;
  await appendTimeline(tx, charge, [{ what: 'refund.approved', detail, amountKobo }]);
  return [{ queue: 'refund-execute', id, tries: 0 }];
}
