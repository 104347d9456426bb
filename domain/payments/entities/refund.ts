import { ofQueue, ofTenant, p, table } from '../../shared/columns.ts';
import { ofPayer } from '../../shared/payer-data.ts';

export const refundStatuses = [
  'requested',
  'approved',
  'sending',
  'unconfirmed',
  'unresolved',
  'processing',
  'needs_attention',
  'completed',
  'failed',
  'reappeared',
  'rejected',
  'cancelled',
] as const;

export const Refund = table('refunds', {
  id: p.ascii().primary(),
  ...ofTenant,
  charge_id: p.ascii(),
  /** The payment the money comes from; null until somebody begins to send it. */
  capture_id: p.ascii().strictNullable(),
  connection_id: p.ascii().strictNullable(),
  amount_kobo: p.kobo(),
  reason: ofPayer(p.text(), 'Erased'),
  status: p.enum(refundStatuses),
  origin: p.enum(['merchant', 'provider', 'system']),
  /** The member or key that asked for it. */
  requested_by: p.text(),
  /** The Owner who decided; null while nobody has. */
  decided_by: p.text().strictNullable(),
  decided_at: p.timestamp().strictNullable(),
  /** Since when it may be sent: the Owner's approval, or an operator's word to send it again. */
  approved_at: p.timestamp().strictNullable(),
  rejection_reason: ofPayer(p.text().strictNullable()),
  attention: p.text().strictNullable(),
  failure_message: p.text().strictNullable(),
  provider_reference: p.text().strictNullable(),
  provider_refund_id: p.text().strictNullable(),
  /** When we first asked the provider for it, and when the provider first said that it has it. */
  sent_at: p.timestamp().strictNullable(),
  accepted_at: p.timestamp().strictNullable(),
  completed_at: p.timestamp().strictNullable(),
  /** How much of it settlements have deducted so far. */
  deducted_kobo: p.kobo(),
  ...ofQueue,
  created_at: p.timestamp(),
});
