import { newId } from '../../shared/ids.ts';
import { formatNaira } from '../../shared/money.ts';
import { statement } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import { leftToReturn } from '../capture/capture.ts';
import { appendTimeline } from '../timeline/timeline.ts';
import { sumReturns } from './sums.ts';

/** `requested_by` of these refunds. */
export const SYSTEM = 'system';

/** All of it that does not go back already: safe to repeat. The charge must be locked. */
export async function returnDuplicate(
  tx: Tx,
  charge: { id: string; tenant_id: string; mode: string },
  { captureId, paidKobo, reason }: { captureId: string; paidKobo: number; reason: string },
): Promise<void> {
  const returns = await sumReturns(tx.sql, captureId);
  const amountKobo = leftToReturn(returns, { paidKobo, excessKobo: paidKobo });
  if (amountKobo > 0) await openSystemRefund(tx, charge, { captureId, amountKobo, reason });
}

/**
 * It needs no approval, does not count among the charge's own refunds and sends no event. The
 * charge must be locked. Returns its id.
 */
export async function openSystemRefund(
  tx: Tx,
  charge: { id: string; tenant_id: string; mode: string },
  { captureId, amountKobo, reason }: { captureId: string; amountKobo: number; reason: string },
): Promise<string> {
  const { sql, now } = tx;
  const id = newId('ref', now);
  const { id: chargeId, tenant_id: tenantId, mode } = charge;
  const [refund] = await insert(sql, {
    ...{ id, tenantId, mode, chargeId, captureId, amountKobo, reason, requestedBy: SYSTEM, now },
  });
  const detail = `${formatNaira(amountKobo)} goes back to the payer (${id}). ${reason}`;
  await appendTimeline(tx, charge, [{ what: 'refund.approved', detail, amountKobo }]);
  tx.enqueue({ queue: 'refund-execute', id, group: refund!.connection_id });
  return id;
}

const insert = statement<{ connection_id: string }>(`
  insert into refunds (id, tenant_id, mode, charge_id, capture_id, connection_id, amount_kobo,
    reason, status, origin, requested_by, decided_at, approved_at, due_at, created_at)
  select :id, :tenantId, :mode, :chargeId, :captureId, connection_id, :amountKobo,
    :reason, 'approved', 'system', :requestedBy, :now, :now, :now, :now
  from captures where id = :captureId returning connection_id`);
