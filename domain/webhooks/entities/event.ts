import { ofTenant, p, table } from '../../shared/columns.ts';
import { FIELDS_ERASED, ofPayer } from '../../shared/payer-data.ts';

/** The first two go to endpoints that name none. */
export const eventTypes = [
  'charge.succeeded',
  'refund.completed',
  'charge.failed',
  'charge.disputed',
  'refund.requested',
  'refund.approved',
  'refund.rejected',
  'refund.failed',
  'dispute.closed',
  'settlement.landed',
  'discrepancy.opened',
] as const;

export const Event = table('events', {
  id: p.ascii().primary(),
  ...ofTenant,
  type: p.text().$type<(typeof eventTypes)[number]>(),
  subject_id: p.ascii(),
  /** The bytes every delivery sends. */
  body: ofPayer(p.text(), FIELDS_ERASED),
  created_at: p.timestamp(),
  /** The feed is in this order, and ends before every running transaction. */
  xact: p.bigint(),
});

/** Continues the numbers of transactions when a database is restored into a new cluster. */
export const EventFeed = table('event_feed', {
  only_row: p.boolean().primary(),
  shift: p.bigint(),
});
