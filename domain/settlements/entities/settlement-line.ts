import { p, table } from '../../shared/columns.ts';

export const SettlementLine = table('settlement_lines', {
  id: p.ascii().primary(),
  settlement_id: p.ascii(),
  connection_id: p.ascii(),
  provider_payment_id: p.text(),
  reference: p.text(),
  amount_kobo: p.kobo(),
  fee_kobo: p.kobo().strictNullable(),
  /** Why its amounts cannot be read; they are 0 then. Null for a foreign line, too. */
  unclear: p.text().strictNullable(),
  /** The newest version of the settlement's statement that has this line. */
  statement_version: p.integer(),
  is_foreign: p.boolean(),
  /**
   * True while no payment is on record for it, or that payment is on hold or belongs to another
   * settlement.
   */
  needs_rematch: p.boolean(),
  charge_id: p.ascii().strictNullable(),
  capture_id: p.ascii().strictNullable(),
});
