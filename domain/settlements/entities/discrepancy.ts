import { ofTenant, p, table } from '../../shared/columns.ts';

/**
 * What can differ between our records and a settlement, a provider's list of payments, or our
 * journal.
 * - `amount_mismatch`: a line states another amount than was paid, or pays a payment out again.
 * - `fee_mismatch`: a line's fee is not the one the provider stated when the payment was made.
 * - `deduction_mismatch`: more was taken out than the refunds and chargebacks on record.
 * - `missing`: a payment is in no settlement, later than its provider takes.
 * - `short`: less reached the bank than the settlement's own lines and deductions add up to.
 * - `surplus`: more reached the bank than they add up to.
 * - `unreadable`: a settlement, or a line of it that pays one of our charges, cannot be read.
 * - `never_notified`: a payment under one of our references that is not on record.
 * - `unknown_at_provider`: a payment on record that its provider does not know any more.
 * - `books`: the journal says of a record's money something else than the record.
 */
export const discrepancyKinds = [
  'amount_mismatch',
  'fee_mismatch',
  'deduction_mismatch',
  'missing',
  'short',
  'surplus',
  'unreadable',
  'never_notified',
  'unknown_at_provider',
  'books',
] as const;

export const discrepancyStatuses = ['open', 'resolved', 'closed'] as const;

export const Discrepancy = table('discrepancies', {
  id: p.ascii().primary(),
  ...ofTenant,
  connection_id: p.ascii(),
  slot: p.slot(),
  kind: p.text().$type<(typeof discrepancyKinds)[number]>(),
  /** One of a kind is open per subject. */
  subject: p.text(),
  settlement_id: p.ascii().strictNullable(),
  line_id: p.ascii().strictNullable(),
  charge_id: p.ascii().strictNullable(),
  /** Null where a whole settlement differs. */
  reference: p.text().strictNullable(),
  /** Never negative. */
  amount_kobo: p.kobo(),
  /** Positive where less came than was expected. */
  difference_kobo: p.kobo(),
  detail: p.text(),
  status: p.enum(discrepancyStatuses),
  day: p.date(),
  closed_by: p.text().strictNullable(),
  close_reason: p.text().strictNullable(),
  opened_at: p.timestamp(),
  ended_at: p.timestamp().strictNullable(),
});
