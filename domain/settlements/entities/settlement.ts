import { ofTenant, p, table } from '../../shared/columns.ts';

export const settlementStatuses = ['expected', 'landed', 'short', 'failed'] as const;

/**
 * What is to be done next to reconcile a settlement.
 * - `forecast`: nothing. Its amounts are those we expect; it may be announced by its provider.
 * - `pending`: nothing. It failed before, and its provider says that it is on its way again.
 * - `read_lines`: read the lines of the payout that landed.
 * - `unreadable`: its statement, or its list of lines, cannot be read: try again later.
 * - `unclear`: its list of lines is read, and one of ours states no amount: try again later.
 * - `compute_totals`: every line is read, or it failed.
 * - `reconciled`: nothing. Its status and amounts are what lines, payments and bank say.
 */
export const settlementSteps = [
  'forecast',
  'pending',
  'read_lines',
  'unreadable',
  'unclear',
  'compute_totals',
  'reconciled',
] as const;

export const Settlement = table('settlements', {
  id: p.ascii().primary(),
  ...ofTenant,
  connection_id: p.ascii(),
  slot: p.slot(),
  provider_settlement_id: p.text().strictNullable(),
  status: p.enum(settlementStatuses),
  step: p.enum(settlementSteps),
  expected_date: p.date().strictNullable(),
  expected_amount_kobo: p.kobo(),
  landed_amount_kobo: p.kobo().strictNullable(),
  stated_state: p.enum(['pending', 'landed', 'failed', 'unknown', 'unclear']).strictNullable(),
  stated_amount_kobo: p.kobo().strictNullable(),
  stated_deductions_kobo: p.kobo().strictNullable(),
  /** By our records. expected = gross - fee - refunds - chargebacks + foreign. */
  gross_kobo: p.kobo(),
  fee_kobo: p.kobo(),
  refunds_kobo: p.kobo(),
  chargebacks_kobo: p.kobo(),
  /** The merchant's other business, after fees. */
  foreign_kobo: p.kobo(),
  foreign_count: p.integer(),
  transaction_count: p.integer(),
  bank_name: p.text().strictNullable(),
  bank_account_last4: p.text().strictNullable(),
  /** Its lines are read once for each version. */
  statement_version: p.integer(),
  lines_cursor: p.text().strictNullable(),
  /** Null: it could, or was not tried. */
  unreadable_reason: p.text().strictNullable(),
  /** Since its statement changed or it was read. */
  failed_reads: p.integer(),
  read_again_at: p.timestamp().strictNullable(),
  totals_computed_at: p.timestamp().strictNullable(),
  landed_at: p.timestamp().strictNullable(),
  created_at: p.timestamp(),
});

export const SettlementDeduction = table('settlement_deductions', {
  settlement_id: p.ascii().primary(),
  refund_id: p.ascii().strictNullable(),
  dispute_id: p.ascii().strictNullable(),
  amount_kobo: p.kobo(),
});
