import { defineEntity, p } from '@mikro-orm/core';
import { ascii, kobo, timestamp } from '../../shared/columns.ts';
import { ofPayer, ROW_DELETED } from '../../shared/payer-data.ts';

export const TimelineEntry = defineEntity({
  name: 'TimelineEntry',
  tableName: 'timeline_entries',
  properties: {
    id: ascii(),
    charge_id: ascii().primary(),
    /** The order in which entries were written. */
    position: p.bigint('number').generated('identity').primary(),
    at: timestamp(),
    what: p.text(),
    detail: p.text().strictNullable(),
    amount_kobo: kobo().strictNullable(),
    attempt_id: ascii().strictNullable(),
    evidence_sha256: p.text().strictNullable(),
  },
});

export const Evidence = defineEntity({
  name: 'Evidence',
  tableName: 'evidence',
  properties: {
    charge_id: ascii().primary(),
    sha256: p.text().primary(),
    payload: ofPayer(p.text(), ROW_DELETED),
    created_at: timestamp(),
  },
  indexes: [{ name: 'evidence_charge', properties: ['charge_id'] }],
});
