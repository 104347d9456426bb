import { defineEntity, p } from '@mikro-orm/core';
import { ascii, kobo, timestamp } from '../../shared/columns.ts';
import type { Mode } from '../../shared/reader.ts';

export const disputeStatuses = ['open', 'won', 'lost'] as const;

export const Dispute = defineEntity({
  name: 'Dispute',
  tableName: 'disputes',
  properties: {
    id: ascii().primary(),
    tenant_id: ascii(),
    mode: p.text().$type<Mode>(),
    charge_id: ascii(),
    capture_id: ascii(),
    connection_id: ascii(),
    /** Null for one entered by hand that its provider has not reported. */
    provider_dispute_id: p.text().strictNullable(),
    /** What is disputed: fixed when it is first written. */
    amount_kobo: kobo(),
    /** How much of it settlements have deducted so far. */
    deducted_kobo: kobo().defaultRaw('0'),
    status: p.enum(disputeStatuses),
    entered_by: p.enum(['provider', 'operator']),
    /** When we last asked the provider about it. */
    asked_at: timestamp().strictNullable(),
    opened_at: timestamp(),
    decided_at: timestamp().strictNullable(),
  },
  indexes: [
    { name: 'disputes_tenant', properties: ['tenant_id', 'mode', 'id'] },
    { name: 'disputes_undecided', properties: ['tenant_id', 'mode'], where: `status = 'open'` },
    { name: 'disputes_capture', properties: ['capture_id'] },
    { name: 'disputes_charge', properties: ['charge_id'] },
    { name: 'disputes_open', properties: ['connection_id', 'id'], where: `status = 'open'` },
    {
      name: 'disputes_owed',
      properties: ['connection_id', 'id'],
      where: `status = 'lost' and deducted_kobo < amount_kobo`,
    },
  ],
  uniques: [
    {
      name: 'disputes_provider',
      properties: ['connection_id', 'provider_dispute_id'],
      where: `provider_dispute_id is not null`,
    },
  ],
});
