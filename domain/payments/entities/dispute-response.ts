import { ofQueue, ofTenant, p, table } from '../../shared/columns.ts';
import { ofPayer } from '../../shared/payer-data.ts';

/** `acceptance`: the money goes back. */
export const disputeResponseKinds = ['evidence', 'acceptance'] as const;

/**
 * `requested`: a second Owner has to approve it, too. `sending`: the provider may have it.
 * `refused`: it has not, and another may follow.
 */
export const disputeResponseStatuses = [
  'requested',
  'waiting',
  'sending',
  'sent',
  'refused',
] as const;

/** What banks read. */
export const evidenceTypes = ['pdf', 'jpeg', 'png'] as const;

/** What a merchant says to a dispute. */
export const DisputeResponse = table('dispute_responses', {
  id: p.ascii().primary(),
  ...ofTenant,
  dispute_id: p.ascii(),
  charge_id: p.ascii(),
  connection_id: p.ascii(),
  kind: p.enum(disputeResponseKinds),
  /** `ResponseContent` as JSON, sealed. */
  content: ofPayer(p.text().strictNullable()),
  /** In base64, sealed. */
  file: ofPayer(p.text().strictNullable()),
  file_type: p.enum(evidenceTypes).strictNullable(),
  status: p.enum(disputeResponseStatuses),
  requested_by: p.text(),
  /** Null: not yet, by a second Owner. */
  approved_at: p.timestamp().strictNullable(),
  failure_message: p.text().strictNullable(),
  finished_at: p.timestamp().strictNullable(),
  ...ofQueue,
  created_at: p.timestamp(),
});
