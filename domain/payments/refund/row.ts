import type { RowOf } from '../../shared/columns.ts';
import { referenceOf } from '../../shared/ids.ts';
import type { Refund } from '../entities/refund.ts';
import type { RefundStatus } from './transitions.ts';

export type RefundRow = RowOf<typeof Refund> & { number: number; currency: string };

/** `system`: this service, which refunds duplicates. */
export type RefundOrigin = RefundRow['origin'];

export type RefundSource = RefundRow['paid_from'];

export const shownRefundStatuses = [
  'requested',
  'approved',
  'processing',
  'completed',
  'failed',
  'rejected',
  'cancelled',
] as const satisfies readonly RefundStatus[];
export type ShownRefundStatus = (typeof shownRefundStatuses)[number];

export const shownAs: Record<RefundStatus, ShownRefundStatus> = {
  requested: 'requested',
  approved: 'approved',
  sending: 'processing',
  unconfirmed: 'processing',
  unresolved: 'processing',
  processing: 'processing',
  needs_attention: 'processing',
  completed: 'completed',
  failed: 'failed',
  reappeared: 'failed',
  rejected: 'rejected',
  cancelled: 'cancelled',
};

/** The API's object (spec section "refund"). Times ISO 8601 UTC. */
export function refundView(refund: RefundRow) {
  return {
    object: 'refund' as const,
    id: refund.id,
    reference: referenceOf(refund.number),
    transaction_id: refund.charge_id,
    amount_kobo: refund.amount_kobo,
    currency: refund.currency,
    reason: refund.reason,
    status: shownAs[refund.status],
    origin: refund.origin,
    rejection_reason: refund.rejection_reason,
    failure_message: refund.failure_message,
    attention: refund.attention === null ? null : { reason: refund.attention },
    created_at: refund.created_at.toISOString(),
    first_approved_at: refund.first_approved_at?.toISOString() ?? null,
    decided_at: refund.decided_at?.toISOString() ?? null,
    completed_at: refund.completed_at?.toISOString() ?? null,
    mode: refund.mode,
  };
}
