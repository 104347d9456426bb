import { p, table } from '../../shared/columns.ts';

export const SettlementLine = table('settlement_lines', {
  id: p.ascii().primary(),
  settlement_id: p.ascii(),
  connection_id: p.ascii(),
  provider_payment_id: p.text(),
  reference: p.text(),
  amount_kobo: p.kobo(),
  fee_kobo: p.kobo().strictNullable(),
  /** They are 0 then. Null for a foreign line, too. */
  unclear: p.text().strictNullable(),
  /** The newest that has this line. */
  statement_version: p.integer(),
  is_foreign: p.boolean(),
  /** No payment is on record for it, or it is on hold or another settlement's. */
  needs_rematch: p.boolean(),
  charge_id: p.ascii().strictNullable(),
  capture_id: p.ascii().strictNullable(),
});
