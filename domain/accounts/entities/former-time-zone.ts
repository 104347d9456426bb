import { defineEntity, p } from '@mikro-orm/core';
import { timestamp } from '../../shared/columns.ts';
import { Tenant } from './tenant.ts';

/** A time zone that a tenant had before: days are counted in the zone of their time. */
export const FormerTimeZone = defineEntity({
  name: 'FormerTimeZone',
  tableName: 'former_time_zones',
  properties: {
    tenant_id: () =>
      p.manyToOne(Tenant).mapToPk().primary().updateRule('no action').deleteRule('no action'),
    until: timestamp().primary(),
    time_zone: p.text(),
  },
});
