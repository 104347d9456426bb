import { defineEntity, p } from '@mikro-orm/core';
import type { Channel } from '../../providers/capture.ts';
import { ascii, kobo, timestamp } from '../../shared/columns.ts';
import { ofPayer } from '../../shared/payer-data.ts';
import type { Mode } from '../../shared/reader.ts';
import type { Slot } from '../../shared/slot.ts';
import type { ReviewReason } from './review-reasons.ts';

export const chargeStatuses = [
  'initiated',
  'pending',
  'succeeded',
  'settled',
  'failed',
  'refunded',
  'disputed',
] as const;

export const Charge = defineEntity({
  name: 'Charge',
  tableName: 'charges',
  properties: {
    id: ascii().primary(),
    tenant_id: ascii(),
    mode: p.text().$type<Mode>(),
    number: p.bigint('number').unique(),
    status: p.enum(chargeStatuses),
    merchant_reference: p.text().strictNullable(),
    amount_kobo: kobo(),
    fee_kobo: kobo().defaultRaw('0'),
    refunded_kobo: kobo().defaultRaw('0'),
    currency: p.text(),
    /** The domain exists nowhere. */
    email: ofPayer(p.text(), 'erased@payer.invalid'),
    name: ofPayer(p.text().strictNullable()),
    phone: ofPayer(p.text().strictNullable()),
    description: ofPayer(p.text().strictNullable()),
    return_url: ofPayer(p.text().strictNullable()),
    /** The origin of the web page that asked for it with a public key; null: none did. */
    opener_origin: p.text().strictNullable(),
    metadata: ofPayer(p.json<Record<string, unknown>>().columnType('json'), {}),
    provider_wanted: p.text().$type<'auto' | Slot>(),
    slot: p.text().$type<Slot>(),
    connection_id: ascii(),
    payment_link_id: ascii().strictNullable(),
    created_by: p.enum(['secret', 'public', 'member', 'link']),
    channel: p.text().$type<Channel>().strictNullable(),
    provider_reference: p.text().strictNullable(),
    failure_message: p.text().strictNullable(),
    failure_cause: p.text().strictNullable(),
    /** The payment that paid it. */
    capture_id: ascii().strictNullable(),
    occurred_at: timestamp(),
    settled_at: timestamp().strictNullable(),
    settlement_id: ascii().strictNullable(),
    recovered: p.boolean().default(false),
    /** Why it is in review; empty: it is not. */
    review: p.array().$type<ReviewReason[]>().defaultRaw(`'{}'`),
    created_at: timestamp(),
    expires_at: timestamp(),
    /** When the merchant asked to cancel it; null: it was not cancelled. */
    cancel_requested_at: timestamp().strictNullable(),
    failed_at: timestamp().strictNullable(),
  },
  indexes: [
    {
      name: 'charges_customer',
      expression: `create index charges_customer on charges
        (tenant_id, mode, lower(email), status, slot, coalesce(channel, ''), id)`,
    },
    {
      name: 'charges_combination',
      expression: `create index charges_combination on charges
        (tenant_id, mode, status, slot, coalesce(channel, ''), id)`,
    },
    {
      name: 'charges_underway',
      expression: `create index charges_underway on charges
        using gist (tenant_id, mode, tstzrange(created_at, occurred_at, '[]'))
        where occurred_at - created_at > interval '1 hour'`,
    },
    {
      name: 'charges_merchant_reference',
      expression: `create index charges_merchant_reference on charges
        (tenant_id, mode, merchant_reference,
          (status in ('succeeded', 'settled', 'refunded', 'disputed')),
          (created_by in ('secret', 'member')), id)
        where merchant_reference is not null`,
    },
    {
      name: 'charges_expiry',
      properties: ['expires_at', 'id'],
      where: `status in ('initiated', 'pending')`,
    },
    {
      name: 'charges_cancel',
      properties: ['cancel_requested_at', 'id'],
      where: `cancel_requested_at is not null and status in ('initiated', 'pending')`,
    },
    {
      name: 'charges_settlement',
      properties: ['settlement_id', 'id'],
      where: `settlement_id is not null`,
    },
  ],
  uniques: [
    { name: 'charges_tenant', properties: ['tenant_id', 'mode', 'id'] },
    {
      name: 'charges_open_link',
      properties: ['payment_link_id'],
      where: `payment_link_id is not null and status in ('initiated', 'pending')`,
    },
  ],
  checks: [
    { name: 'charges_amount_kobo_check', expression: `amount_kobo > 0` },
    { name: 'charges_check', expression: `refunded_kobo >= 0 and refunded_kobo <= amount_kobo` },
  ],
});
