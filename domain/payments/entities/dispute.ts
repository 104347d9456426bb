import { ofTenant, p, table } from '../../shared/columns.ts';
import { ofPayer } from '../../shared/payer-data.ts';

export const disputeStatuses = ['open', 'won', 'lost'] as const;

export const Dispute = table('disputes', {
  id: p.ascii().primary(),
  ...ofTenant,
  charge_id: p.ascii(),
  capture_id: p.ascii(),
  connection_id: p.ascii(),
  /** Null for one entered by hand that its provider has not reported. */
  provider_dispute_id: p.text().strictNullable(),
  /** What is disputed: fixed when it is first written. */
  amount_kobo: p.kobo(),
  /** As its provider words it. */
  reason: ofPayer(p.text().strictNullable()),
  /** The last moment at which its provider takes an answer. */
  respond_by: p.timestamp().strictNullable(),
  /** By settlements, so far. */
  deducted_kobo: p.kobo(),
  status: p.enum(disputeStatuses),
  entered_by: p.enum(['provider', 'operator']),
  asked_at: p.timestamp().strictNullable(),
  opened_at: p.timestamp(),
  decided_at: p.timestamp().strictNullable(),
});
