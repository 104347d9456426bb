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

export const refundSources = ['provider', 'bank'] as const;

export const Refund = table('refunds', {
  id: p.ascii().primary(),
  ...ofTenant,
  charge_id: p.ascii(),
  /** Null until somebody begins to send it. */
  capture_id: p.ascii().strictNullable(),
  connection_id: p.ascii().strictNullable(),
  amount_kobo: p.kobo(),
  reason: ofPayer(p.text(), 'Erased'),
  status: p.enum(refundStatuses),
  origin: p.enum(['merchant', 'provider', 'system']),
  requested_by: p.text(),
  /** Of two Owners. Whether it counts is asked when the second decides. */
  first_approved_by: p.text().strictNullable(),
  first_approved_at: p.timestamp().strictNullable(),
  decided_by: p.text().strictNullable(),
  decided_at: p.timestamp().strictNullable(),
  /** By an Owner, or by an operator who has it sent again. */
  approved_at: p.timestamp().strictNullable(),
  rejection_reason: ofPayer(p.text().strictNullable()),
  attention: p.text().strictNullable(),
  failure_message: p.text().strictNullable(),
  provider_reference: p.text().strictNullable(),
  provider_refund_id: p.text().strictNullable(),
  sent_at: p.timestamp().strictNullable(),
  accepted_at: p.timestamp().strictNullable(),
  completed_at: p.timestamp().strictNullable(),
  deducted_kobo: p.kobo(),
  /** Where the money was. `bank`: the merchant's own account, of which a person told. */
  paid_from: p.enum(refundSources),
  ...ofQueue,
  created_at: p.timestamp(),
});
