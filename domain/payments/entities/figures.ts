import { defineEntity, p } from '@mikro-orm/core';
import { ascii, kobo, timestamp } from '../../shared/columns.ts';
import type { Mode } from '../../shared/reader.ts';
import type { Slot } from '../../shared/slot.ts';

const figures = {
  succeeded: p.integer().default(0),
  failed: p.integer().default(0),
  collected_kobo: kobo().defaultRaw('0'),
  fee_kobo: kobo().defaultRaw('0'),
  refunded_kobo: kobo().defaultRaw('0'),
};

/** What a tenant collected on one of its days through one provider. */
export const DailyFigures = defineEntity({
  name: 'DailyFigures',
  tableName: 'daily_figures',
  properties: {
    tenant_id: ascii().primary(),
    mode: p.text().$type<Mode>().primary(),
    day: p.date().primary(),
    slot: p.text().$type<Slot>().primary(),
    ...figures,
  },
});

/**
 * Changes of those figures that are not added to them yet. Rows are only ever appended in the
 * transaction of a charge, so that no two charges wait for each other.
 */
export const FigureChange = defineEntity({
  name: 'FigureChange',
  tableName: 'figure_changes',
  properties: {
    id: p.bigint('number').generated('identity').primary(),
    tenant_id: ascii(),
    mode: p.text().$type<Mode>(),
    at: timestamp(),
    slot: p.text().$type<Slot>(),
    ...figures,
  },
  indexes: [{ name: 'figure_changes_tenant', properties: ['tenant_id', 'mode'] }],
});
