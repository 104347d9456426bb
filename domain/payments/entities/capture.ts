import { defineEntity, p } from '@mikro-orm/core';
import type { Channel } from '../../providers/capture.ts';
import { ascii, kobo, timestamp } from '../../shared/columns.ts';
import { Charge } from './charge.ts';

export const captureStatuses = ['on_hold', 'applied', 'duplicate'] as const;

export const Capture = defineEntity({
  name: 'Capture',
  tableName: 'captures',
  properties: {
    id: ascii().primary(),
    charge_id: () => p.manyToOne(Charge).mapToPk(),
    attempt_id: ascii(),
    connection_id: ascii(),
    provider_payment_id: p.text(),
    status: p.enum(captureStatuses),
    amount_kobo: kobo(),
    /** What the payer paid on top, where they bore the fee. */
    payer_fee_kobo: kobo().defaultRaw('0'),
    fee_kobo: kobo().strictNullable(),
    currency: p.text(),
    channel: p.text().$type<Channel>(),
    captured_at: timestamp(),
    recorded_at: timestamp(),
    /** The day its provider pays it out; null until that is computed. */
    settles_on: p.date().strictNullable(),
    /** The settlement that holds it. */
    settlement_id: ascii().strictNullable(),
    /** When the payment audit saw it at the provider. */
    listed_at: timestamp().strictNullable(),
    /**
     * When its amount or fee changed after it was recorded; null once the totals of its settlement
     * are due to be computed again.
     */
    changed_at: timestamp().strictNullable(),
  },
  indexes: [
    {
      name: 'captures_unplanned',
      properties: ['connection_id', 'id'],
      where: `settles_on is null`,
    },
    {
      name: 'captures_unsettled',
      expression: `create index captures_unsettled on captures (connection_id, settles_on, charge_id)
        include (amount_kobo, fee_kobo) where settlement_id is null`,
    },
    { name: 'captures_changed', properties: ['connection_id'], where: `changed_at is not null` },
    {
      name: 'captures_unlisted',
      properties: ['connection_id', 'captured_at'],
      where: `listed_at is null`,
    },
  ],
  uniques: [
    { name: 'captures_charge', properties: ['charge_id', 'id'] },
    { name: 'captures_applied', properties: ['charge_id'], where: `status = 'applied'` },
    { properties: ['connection_id', 'provider_payment_id'] },
  ],
});
