import { defineEntity, p } from '@mikro-orm/core';
import { ascii, timestamp } from '../../shared/columns.ts';
import { ofPayer, ROW_DELETED } from '../../shared/payer-data.ts';

/** What providers call us with. */
export const Notification = defineEntity({
  name: 'Notification',
  tableName: 'notifications',
  properties: {
    id: ascii().primary(),
    connection_id: ascii(),
    body_sha256: p.text(),
    body: ofPayer(p.text(), ROW_DELETED),
    event: p.text(),
    about: p.enum(['payment', 'refund', 'dispute', 'settlement', 'other']).default('payment'),
    payment_references: p.array(),
    payment_ids: p.array().defaultRaw(`'{}'`),
    status: p.enum(['received', 'processed', 'ignored']),
    tries: p.integer().default(0),
    snoozes: p.integer().default(0),
    failures: p.integer().default(0),
    last_error: p.text().strictNullable(),
    enqueues: p.integer().default(0),
    enqueued_at: timestamp().strictNullable(),
    due_at: timestamp().strictNullable(),
    created_at: timestamp(),
    /** When the same one last came, and when it was last processed. */
    arrived_at: timestamp().strictNullable(),
    processed_at: timestamp().strictNullable(),
  },
  indexes: [
    {
      name: 'notifications_due',
      properties: ['connection_id', 'due_at'],
      where: `due_at is not null and status = 'received'`,
    },
    {
      name: 'notifications_failing',
      properties: ['failures'],
      where: `failures > 8 and due_at is not null`,
    },
  ],
  uniques: [{ properties: ['connection_id', 'body_sha256'] }],
});
