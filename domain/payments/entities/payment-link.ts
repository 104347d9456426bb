import { defineEntity, p } from '@mikro-orm/core';
import { ascii, kobo, timestamp } from '../../shared/columns.ts';
import { ofPayer } from '../../shared/payer-data.ts';
import type { Mode } from '../../shared/reader.ts';
import type { Slot } from '../../shared/slot.ts';

export const linkStatuses = ['active', 'paid', 'expired', 'disabled'] as const;

export const PaymentLink = defineEntity({
  name: 'PaymentLink',
  tableName: 'payment_links',
  properties: {
    id: ascii().primary(),
    tenant_id: ascii(),
    mode: p.text().$type<Mode>(),
    amount_kobo: kobo(),
    description: ofPayer(p.text(), 'Erased'),
    customer_name: ofPayer(p.text().strictNullable()),
    customer_phone: ofPayer(p.text().strictNullable()),
    provider_wanted: p.text().$type<'auto' | Slot>(),
    status: p.enum(linkStatuses),
    /** The charge that paid it. */
    transaction_id: ascii().strictNullable(),
    /** The member or key that created it. */
    created_by: p.text(),
    created_at: timestamp(),
    expires_at: timestamp(),
  },
  uniques: [{ name: 'payment_links_tenant', properties: ['tenant_id', 'mode', 'id'] }],
  indexes: [
    { name: 'payment_links_status', properties: ['tenant_id', 'mode', 'status', 'id'] },
    { name: 'payment_links_expiry', properties: ['expires_at'], where: `status = 'active'` },
    {
      name: 'payment_links_overdue',
      properties: ['tenant_id', 'mode', 'expires_at'],
      where: `status = 'active'`,
    },
  ],
  checks: [{ name: 'payment_links_amount_kobo_check', expression: `amount_kobo > 0` }],
});
