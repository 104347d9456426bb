import { referenceOf } from '../../shared/ids.ts';
import type { Mode } from '../../shared/reader.ts';
import type { RefundStatus } from './transitions.ts';

/** Who began it: the merchant through us, somebody at the provider, or the service itself, which sends duplicates back. */
export type RefundOrigin = 'merchant' | 'provider' | 'system';

/** A refund as its row holds it, with what it shows of its charge. Times UTC. */
export interface RefundRow {
  id: string;
  /** The SV number and currency of its charge. */
  number: number;
  currency: string;
  tenant_id: string;
  mode: Mode;
  charge_id: string;
  amount_kobo: number;
  reason: string;
  status: RefundStatus;
  origin: RefundOrigin;
  /** The member or key that asked for it. */
  requested_by: string;
  /** The Owner who decided; null while nobody has. */
  decided_by: string | null;
  decided_at: Date | null;
  rejection_reason: string | null;
  /** Since when it may be sent: the Owner's approval, or an operator's word to send it again. */
  approved_at: Date | null;
  /** What a person has to do at the provider; null: nothing. */
  attention: string | null;
  failure_message: string | null;
  /** The payment its money comes from; null until it is sent. */
  capture_id: string | null;
  connection_id: string | null;
  provider_refund_id: string | null;
  /** When it was first asked of the provider. */
  sent_at: Date | null;
  /** When the provider first said that it has it. */
  accepted_at: Date | null;
  completed_at: Date | null;
  /** How often it was claimed, and how many of these claims cost no try. */
  tries: number;
  snoozes: number;
  due_at: Date | null;
  created_at: Date;
}

/** The statuses of the contract. */
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

/** What the contract calls each status. */
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

/** The refund object of the contract: every field always present, money integer kobo, times ISO 8601 UTC. */
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
    decided_at: refund.decided_at?.toISOString() ?? null,
    completed_at: refund.completed_at?.toISOString() ?? null,
    mode: refund.mode,
  };
}
