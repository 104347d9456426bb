import { defineEntity, p } from '@mikro-orm/core';
import { ascii, timestamp } from '../../shared/columns.ts';

export const Tenant = defineEntity({
  name: 'Tenant',
  tableName: 'tenants',
  properties: {
    id: ascii().primary(),
    name: p.text(),
    time_zone: p.text().default('Africa/Lagos'),
    requires_second_factor: p.boolean().default(false),
    /** Where payers reach the merchant, who shows it to them. */
    support_email: p.text().strictNullable(),
    support_phone: p.text().strictNullable(),
    created_at: timestamp(),
  },
});
