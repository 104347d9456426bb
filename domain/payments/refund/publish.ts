import type { Tx } from '../../shared/tx.ts';
import { type EventType, publishEvent } from '../../webhooks/event/publish.ts';
import { type RefundRow, refundView } from './row.ts';

export function publishRefund(
  tx: Tx,
  type: Extract<EventType, `refund.${string}`>,
  refund: RefundRow,
): Promise<void> {
  const { id: subjectId, tenant_id: tenantId, mode } = refund;
  return publishEvent(tx, { tenantId, mode, type, subjectId, data: refundView(refund) });
}
