import type { Channel } from '../../providers/port/payment.ts';
import { ofTenant, p, table } from '../../shared/columns.ts';

const figures = {
  succeeded: p.integer(),
  failed: p.integer(),
  collected_kobo: p.kobo(),
  fee_kobo: p.kobo(),
  refunded_kobo: p.kobo(),
};

/** What a tenant collected on one day through one provider and channel. */
export const DailyFigures = table('daily_figures', {
  tenant_id: p.ascii().primary(),
  mode: p.mode().primary(),
  day: p.date().primary(),
  slot: p.slot().primary(),
  /** `none`: nothing was paid. */
  channel: p.text().$type<Channel | 'none'>().primary(),
  ...figures,
});

/** Not added yet; only appended, so that no two charges wait for each other. */
export const FigureChange = table('figure_changes', {
  id: p.bigint().primary(),
  ...ofTenant,
  at: p.timestamp(),
  slot: p.slot(),
  channel: p.text().$type<Channel | 'none'>(),
  ...figures,
});
