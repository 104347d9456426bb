import { defineEntity, p } from '@mikro-orm/core';
import { ascii, timestamp } from '../../shared/columns.ts';
import { ofPayer } from '../../shared/payer-data.ts';
import type { Mode } from '../../shared/reader.ts';

export const deliveryStatuses = ['pending', 'delivered', 'exhausted', 'cancelled'] as const;

export const Delivery = defineEntity({
  name: 'Delivery',
  tableName: 'deliveries',
  properties: {
    id: ascii().primary(),
    /** Null: a test delivery, which is about no event. */
    event_id: ascii().strictNullable(),
    endpoint_id: ascii(),
    tenant_id: ascii(),
    mode: p.text().$type<Mode>(),
    status: p.enum(deliveryStatuses),
    /** The delivery it repeats. */
    resend_of: ascii().strictNullable(),
    tries: p.integer().default(0),
    snoozes: p.integer().default(0),
    failures: p.integer().default(0),
    last_error: p.text().strictNullable(),
    enqueues: p.integer().default(0),
    enqueued_at: timestamp().strictNullable(),
    due_at: timestamp().strictNullable(),
    finished_at: timestamp().strictNullable(),
    created_at: timestamp(),
  },
  indexes: [
    {
      name: 'deliveries_due',
      properties: ['endpoint_id', 'due_at'],
      where: `due_at is not null and status = 'pending'`,
    },
    { name: 'deliveries_endpoint', properties: ['endpoint_id', 'status', 'id'] },
    { name: 'deliveries_event', properties: ['event_id'] },
    {
      name: 'deliveries_unsuccessful',
      properties: ['finished_at'],
      where: `status in ('exhausted', 'cancelled')`,
    },
    {
      name: 'deliveries_failing',
      properties: ['failures'],
      where: `failures > 8 and due_at is not null`,
    },
  ],
});

export const DeliveryTry = defineEntity({
  name: 'DeliveryTry',
  tableName: 'delivery_tries',
  properties: {
    delivery_id: ascii().primary(),
    endpoint_id: ascii().strictNullable(),
    try: p.integer().primary(),
    at: timestamp(),
    duration_ms: p.integer(),
    /**
     * Time from the event to the end of this try; null from the second try on, for tests, and for
     * resends.
     */
    since_event_ms: p.integer().strictNullable(),
    status_code: p.smallint().strictNullable(),
    error: p.text().strictNullable(),
    /** The first 2 kB of the answer. */
    answer: ofPayer(p.text().strictNullable()),
  },
  indexes: [
    { name: 'delivery_tries_delivery', properties: ['delivery_id', 'try'] },
    { name: 'delivery_tries_newest', properties: ['at'] },
  ],
});
