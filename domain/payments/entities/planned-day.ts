import { defineEntity, p } from '@mikro-orm/core';
import { ascii, kobo } from '../../shared/columns.ts';

/** What a connection is still to pay out of the payments that settle on one day. */
export const PlannedDay = defineEntity({
  name: 'PlannedDay',
  tableName: 'planned_days',
  properties: {
    connection_id: ascii().primary(),
    day: p.date().primary(),
    amount_kobo: kobo(),
    fee_kobo: kobo(),
    count: p.integer(),
  },
});

/**
 * A day whose captures changed since they were added up. Rows are only ever appended in the
 * transaction of the change, so that no two changes wait for each other.
 */
export const PlannedDayChange = defineEntity({
  name: 'PlannedDayChange',
  tableName: 'planned_day_changes',
  properties: {
    id: p.bigint('number').generated('identity').primary(),
    connection_id: ascii(),
    day: p.date(),
  },
  indexes: [{ name: 'planned_day_changes_connection', properties: ['connection_id'] }],
});
