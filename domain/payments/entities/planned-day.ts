import { p, table } from '../../shared/columns.ts';

/** What a connection is still to pay out on one day. */
export const PlannedDay = table('planned_days', {
  connection_id: p.ascii().primary(),
  day: p.date().primary(),
  amount_kobo: p.kobo(),
  fee_kobo: p.kobo(),
  count: p.integer(),
});

/** Only appended, so that no two changes wait for each other. */
export const PlannedDayChange = table('planned_day_changes', {
  id: p.bigint().primary(),
  connection_id: p.ascii(),
  day: p.date(),
});
