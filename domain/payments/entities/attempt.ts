import { defineEntity, p } from '@mikro-orm/core';
import { ascii, timestamp } from '../../shared/columns.ts';
import type { Slot } from '../../shared/slot.ts';
import { Charge } from './charge.ts';

export const attemptStatuses = [
  'queued',
  'sending',
  'unconfirmed',
  'open',
  'captured',
  'declined',
  'expired',
  'refused',
  'lost',
  'cancelled',
] as const;

export const Attempt = defineEntity({
  name: 'Attempt',
  tableName: 'attempts',
  properties: {
    id: ascii().primary(),
    charge_id: () => p.manyToOne(Charge).mapToPk(),
    connection_id: ascii(),
    slot: p.text().$type<Slot>(),
    /** Our reference for this payment at the provider: `SV-<n>-<8 random base36>`. */
    reference: ascii().unique(),
    status: p.enum(attemptStatuses),
    url: p.text().strictNullable(),
    link_expires_at: timestamp().strictNullable(),
    /** When we first may have sent it. */
    sent_at: timestamp().strictNullable(),
    accepted_at: timestamp().strictNullable(),
    /** When the question was asked that the provider last answered. */
    verified_at: timestamp().strictNullable(),
    asked_at: timestamp().strictNullable(),
    /**
     * These bound the provider calls that notifications cause: for the payment, its refunds and its
     * disputes, when a notification last made us ask, and when we last asked and got an answer.
     * (For the payment itself that is verified_at.)
     */
    notified_at: timestamp().strictNullable(),
    refunds_notified_at: timestamp().strictNullable(),
    refunds_verified_at: timestamp().strictNullable(),
    disputes_notified_at: timestamp().strictNullable(),
    disputes_verified_at: timestamp().strictNullable(),
    /**
     * How often it was claimed. It only ever grows, because a claim is known by it: a worker that
     * comes back late must not meet its own number again.
     */
    tries: p.integer().default(0),
    /** Claims that cost no try. */
    snoozes: p.integer().default(0),
    failures: p.integer().default(0),
    last_error: p.text().strictNullable(),
    enqueues: p.integer().default(0),
    enqueued_at: timestamp().strictNullable(),
    due_at: timestamp().strictNullable(),
    created_at: timestamp(),
  },
  uniques: [{ name: 'attempts_charge', properties: ['charge_id', 'id'] }],
  indexes: [
    {
      name: 'attempts_create_due',
      properties: ['connection_id', 'due_at'],
      where: `due_at is not null and status in ('queued', 'sending', 'unconfirmed')`,
    },
    {
      name: 'attempts_check_due',
      properties: ['connection_id', 'due_at'],
      where: `due_at is not null and status in ('open', 'lost', 'captured', 'declined', 'expired', 'refused')`,
    },
    {
      name: 'attempts_failing',
      properties: ['failures'],
      where: `failures > 8 and due_at is not null`,
    },
  ],
});
