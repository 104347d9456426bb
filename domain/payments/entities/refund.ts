import { defineEntity, p } from '@mikro-orm/core';
import { ascii, kobo, timestamp } from '../../shared/columns.ts';
import { ofPayer } from '../../shared/payer-data.ts';
import type { Mode } from '../../shared/reader.ts';

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

export const Refund = defineEntity({
  name: 'Refund',
  tableName: 'refunds',
  properties: {
    id: ascii().primary(),
    tenant_id: ascii(),
    mode: p.text().$type<Mode>(),
    charge_id: ascii(),
    /** The payment the money comes from; null until somebody begins to send it. */
    capture_id: ascii().strictNullable(),
    connection_id: ascii().strictNullable(),
    amount_kobo: kobo(),
    reason: ofPayer(p.text(), 'Erased'),
    status: p.enum(refundStatuses),
    origin: p.enum(['merchant', 'provider', 'system']).default('merchant'),
    /** The member or key that asked for it. */
    requested_by: p.text(),
    /** The Owner who decided; null while nobody has. */
    decided_by: p.text().strictNullable(),
    decided_at: timestamp().strictNullable(),
    /** Since when it may be sent: the Owner's approval, or an operator's word to send it again. */
    approved_at: timestamp().strictNullable(),
    rejection_reason: ofPayer(p.text().strictNullable()),
    attention: p.text().strictNullable(),
    failure_message: p.text().strictNullable(),
    provider_reference: p.text().strictNullable(),
    provider_refund_id: p.text().strictNullable(),
    /** When we first asked the provider for it, and when the provider first said that it has it. */
    sent_at: timestamp().strictNullable(),
    accepted_at: timestamp().strictNullable(),
    completed_at: timestamp().strictNullable(),
    /** How much of it settlements have deducted so far. */
    deducted_kobo: kobo().defaultRaw('0'),
    tries: p.integer().default(0),
    snoozes: p.integer().default(0),
    failures: p.integer().default(0),
    last_error: p.text().strictNullable(),
    enqueues: p.integer().default(0),
    enqueued_at: timestamp().strictNullable(),
    due_at: timestamp().strictNullable(),
    created_at: timestamp(),
  },
  indexes: [
    { name: 'refunds_tenant', properties: ['tenant_id', 'mode', 'id'] },
    { name: 'refunds_status', properties: ['tenant_id', 'mode', 'status', 'id'] },
    { name: 'refunds_charge', properties: ['charge_id'] },
    { name: 'refunds_capture', properties: ['capture_id'], where: `capture_id is not null` },
    {
      name: 'refunds_execute_due',
      properties: ['connection_id', 'due_at'],
      where: `due_at is not null and status = 'approved'`,
    },
    {
      name: 'refunds_check_due',
      properties: ['connection_id', 'due_at'],
      where: `due_at is not null and status in ('sending', 'unconfirmed', 'unresolved', 'processing', 'needs_attention', 'reappeared')`,
    },
    {
      name: 'refunds_attention',
      properties: ['id'],
      where: `attention is not null`,
    },
    {
      name: 'refunds_owed',
      properties: ['connection_id', 'id'],
      where: `status = 'completed' and deducted_kobo < amount_kobo`,
    },
    {
      name: 'refunds_failing',
      properties: ['failures'],
      where: `failures > 8 and due_at is not null`,
    },
  ],
  uniques: [
    {
      name: 'refunds_provider',
      properties: ['connection_id', 'provider_refund_id'],
      where: `provider_refund_id is not null`,
    },
  ],
  checks: [{ name: 'refunds_amount_kobo_check', expression: `amount_kobo > 0` }],
});
