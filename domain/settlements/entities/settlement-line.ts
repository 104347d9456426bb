import { defineEntity, p } from '@mikro-orm/core';
import { ascii, kobo } from '../../shared/columns.ts';

export const SettlementLine = defineEntity({
  name: 'SettlementLine',
  tableName: 'settlement_lines',
  properties: {
    id: ascii().primary(),
    settlement_id: ascii(),
    connection_id: ascii(),
    provider_payment_id: p.text(),
    reference: p.text(),
    amount_kobo: kobo(),
    /** Null where the line does not say. */
    fee_kobo: kobo().strictNullable(),
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
    charge_id: ascii().strictNullable(),
    capture_id: ascii().strictNullable(),
  },
  indexes: [
    {
      name: 'settlement_lines_rematch',
      properties: ['connection_id', 'id'],
      where: `needs_rematch`,
    },
    {
      name: 'settlement_lines_unclear',
      properties: ['settlement_id', 'id'],
      where: `unclear is not null`,
    },
  ],
  uniques: [{ properties: ['settlement_id', 'provider_payment_id'] }],
});
