import { defineEntity, p } from '@mikro-orm/core';
import { ascii, kobo, timestamp } from '../../shared/columns.ts';
import type { Mode } from '../../shared/reader.ts';
import type { Slot } from '../../shared/slot.ts';

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

export const Settlement = defineEntity({
  name: 'Settlement',
  tableName: 'settlements',
  properties: {
    id: ascii().primary(),
    tenant_id: ascii(),
    mode: p.text().$type<Mode>(),
    connection_id: ascii(),
    slot: p.text().$type<Slot>(),
    provider_settlement_id: p.text().strictNullable(),
    status: p.enum(settlementStatuses),
    step: p.enum(settlementSteps),
    /** The day the provider means to pay out. */
    expected_date: p.date().strictNullable(),
    expected_amount_kobo: kobo(),
    /** Null until money came. */
    landed_amount_kobo: kobo().strictNullable(),
    /** What the provider states about it. */
    stated_state: p.enum(['pending', 'landed', 'failed', 'unknown', 'unclear']).strictNullable(),
    stated_amount_kobo: kobo().strictNullable(),
    stated_deductions_kobo: kobo().strictNullable(),
    /** By our records. expected = gross - fee - refunds - chargebacks + foreign. */
    gross_kobo: kobo().defaultRaw('0'),
    fee_kobo: kobo().defaultRaw('0'),
    refunds_kobo: kobo().defaultRaw('0'),
    chargebacks_kobo: kobo().defaultRaw('0'),
    /** The merchant's other business at the provider that was paid out with it, after fees. */
    foreign_kobo: kobo().defaultRaw('0'),
    foreign_count: p.integer().default(0),
    transaction_count: p.integer().default(0),
    bank_name: p.text().strictNullable(),
    bank_account_last4: p.text().strictNullable(),
    /** How often its provider's statement changed. Its lines are read once for each version. */
    statement_version: p.integer().default(0),
    /** Where the next page of lines begins; null: with the first one. */
    lines_cursor: p.text().strictNullable(),
    /** Why it could not be read the last time; null: it could, or was not tried yet. */
    unreadable_reason: p.text().strictNullable(),
    /** How often reading it failed since its statement changed or it was read. */
    failed_reads: p.integer().default(0),
    read_again_at: timestamp().strictNullable(),
    totals_computed_at: timestamp().strictNullable(),
    landed_at: timestamp().strictNullable(),
    created_at: timestamp(),
  },
  indexes: [
    { name: 'settlements_date', properties: ['connection_id', 'expected_date'] },
    {
      name: 'settlements_due',
      properties: ['connection_id', 'step', 'id'],
      where: `step in ('read_lines', 'unreadable', 'unclear', 'compute_totals')`,
    },
    {
      name: 'settlements_unreadable',
      properties: ['connection_id', 'id'],
      where: `unreadable_reason is not null`,
    },
  ],
  uniques: [
    { name: 'settlements_tenant', properties: ['tenant_id', 'mode', 'id'] },
    { name: 'settlements_provider', properties: ['connection_id', 'provider_settlement_id'] },
    {
      name: 'settlements_forecast',
      properties: ['connection_id', 'expected_date'],
      where: `step = 'forecast'`,
    },
  ],
});

/** What a settlement deducted, and for which refund or chargeback on record. */
export const SettlementDeduction = defineEntity({
  name: 'SettlementDeduction',
  tableName: 'settlement_deductions',
  properties: {
    settlement_id: () =>
      p.manyToOne(Settlement).mapToPk().primary().deleteRule('no action').updateRule('no action'),
    refund_id: ascii().strictNullable(),
    dispute_id: ascii().strictNullable(),
    amount_kobo: kobo(),
  },
  indexes: [{ name: 'settlement_deductions_settlement', properties: ['settlement_id'] }],
  checks: [
    { name: 'settlement_deductions_amount_kobo_check', expression: `amount_kobo > 0` },
    { name: 'settlement_deductions_check', expression: `num_nonnulls(refund_id, dispute_id) = 1` },
  ],
});
