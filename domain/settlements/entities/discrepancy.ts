import { defineEntity, p } from '@mikro-orm/core';
import { ascii, kobo, timestamp } from '../../shared/columns.ts';
import type { Mode } from '../../shared/reader.ts';
import type { Slot } from '../../shared/slot.ts';

export const Discrepancy = defineEntity({
  name: 'Discrepancy',
  tableName: 'discrepancies',
  properties: {
    id: ascii().primary(),
    tenant_id: ascii(),
    mode: p.text().$type<Mode>(),
    connection_id: ascii(),
    slot: p.text().$type<Slot>(),
    kind: p.text(),
    /** What it is about: at most one of a kind is open per subject. */
    subject: p.text(),
    settlement_id: ascii().strictNullable(),
    line_id: ascii().strictNullable(),
    charge_id: ascii().strictNullable(),
    reference: p.text().strictNullable(),
    amount_kobo: kobo(),
    /** Its part of expected - landed: positive where less came than was expected. */
    difference_kobo: kobo(),
    detail: p.text(),
    status: p.enum(['open', 'resolved', 'closed']),
    /** The day in Lagos it belongs to. */
    day: p.date(),
    closed_by: p.text().strictNullable(),
    close_reason: p.text().strictNullable(),
    opened_at: timestamp(),
    ended_at: timestamp().strictNullable(),
  },
  indexes: [
    {
      name: 'discrepancies_closed',
      properties: ['connection_id', 'kind', 'subject'],
      where: `status = 'closed'`,
    },
    {
      name: 'discrepancies_settlement',
      properties: ['settlement_id', 'status', 'kind', 'id'],
      where: `settlement_id is not null`,
    },
    { name: 'discrepancies_tenant', properties: ['tenant_id', 'mode', 'id'] },
    {
      name: 'discrepancies_combination',
      properties: ['tenant_id', 'mode', 'status', 'kind', 'slot', 'id'],
    },
    {
      name: 'discrepancies_days',
      properties: ['tenant_id', 'mode', 'status', 'kind', 'slot', 'day', 'id'],
    },
    { name: 'discrepancies_connection', properties: ['connection_id', 'status', 'day'] },
  ],
  uniques: [
    {
      name: 'discrepancies_once',
      properties: ['connection_id', 'kind', 'subject'],
      where: `status = 'open'`,
    },
  ],
});
