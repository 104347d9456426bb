import { defineEntity, p } from '@mikro-orm/core';
import { ascii, timestamp } from '../../shared/columns.ts';
import { FIELDS_ERASED, ofPayer } from '../../shared/payer-data.ts';
import type { Mode } from '../../shared/reader.ts';

/** Every event type; the first two go to endpoints that name none. */
export const eventTypes = [
  'charge.succeeded',
  'refund.completed',
  'charge.failed',
  'charge.disputed',
  'refund.failed',
  'settlement.landed',
] as const;

export const Event = defineEntity({
  name: 'Event',
  tableName: 'events',
  properties: {
    id: ascii().primary(),
    tenant_id: ascii(),
    mode: p.text().$type<Mode>(),
    type: p.text().$type<(typeof eventTypes)[number]>(),
    subject_id: ascii(),
    /** The bytes every delivery of it sends. */
    body: ofPayer(p.text(), FIELDS_ERASED),
    created_at: timestamp(),
    /**
     * The transaction that wrote it: the feed is in this order, and ends before every transaction
     * that still runs.
     */
    xact: p.bigint('number').defaultRaw(`event_xact()`),
  },
  indexes: [
    { name: 'events_tenant', properties: ['tenant_id', 'mode', 'id'] },
    { name: 'events_feed', properties: ['tenant_id', 'mode', 'xact', 'id'] },
    { name: 'events_subject', properties: ['subject_id'] },
  ],
});

/**
 * Added to the numbers of transactions, so that they continue where they were when a database is
 * restored into a new cluster.
 */
export const EventFeed = defineEntity({
  name: 'EventFeed',
  tableName: 'event_feed',
  properties: {
    only_row: p.boolean().primary().default(true),
    shift: p.bigint('number'),
  },
  checks: [{ name: 'event_feed_only_row_check', expression: `only_row` }],
});
