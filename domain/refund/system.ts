import type { ChargeRow } from '../charge/row.ts';
import { appendTimeline } from '../charge/timeline.ts';
import { newId } from '../ids.ts';
import type { Job } from '../jobs.ts';
import { formatNaira } from '../money.ts';
import type { Phase } from '../phase.ts';

/** Who asks for what the service sends back by itself. */
export const SYSTEM = 'system';

/** Money that is not the charge's own, and goes back to the payer. */
export interface SentBack {
  charge: Pick<ChargeRow, 'id' | 'tenant_id' | 'mode'>;
  captureId: string;
  amountKobo: number;
  /** Why, in a sentence: the provider keeps it with the refund. */
  reason: string;
}

/**
 * Promises to send money back that a charge did not ask for. It needs no Owner, is no part of the charge's own refunds and tells the
 * merchant by no event. While such a refund of a payment is on its way or done, another one for it is not begun. Returns its bell.
 */
export async function openSystemRefund(phase: Phase, { charge, captureId, amountKobo, reason }: SentBack): Promise<Job[]> {
  const { sql, now } = phase;
  const id = newId('ref', now);
  const [written] = await sql.query(
    `insert into refunds (id, tenant_id, mode, charge_id, capture_id, amount_kobo, reason, status, origin, requested_by, decided_at, due_at,
       created_at)
     select $1, $2, $3, $4, $5, $6, $7, 'approved', 'system', $8, $9, $9, $9
     where not exists (
       select from refunds where capture_id = $5 and origin = 'system' and status in ('approved', 'processing', 'completed')
     ) returning 1`,
    [id, charge.tenant_id, charge.mode, charge.id, captureId, amountKobo, reason, SYSTEM, now],
  );
  if (!written) return [];
  const detail = `${formatNaira(amountKobo)} goes back to the payer (${id}). ${reason}`;
  await appendTimeline(phase, charge, [{ what: 'refund.approved', detail, amountKobo }]);
  return [{ queue: 'refund-execute', id, tries: 0 }];
}
