import { defineEntity, p } from '@mikro-orm/core';
import { ascii, timestamp } from '../../shared/columns.ts';
import { Tenant } from './tenant.ts';

/** The picture that payers see, as it is sent to them: drawn anew from what was uploaded. */
export const TenantLogo = defineEntity({
  name: 'TenantLogo',
  tableName: 'tenant_logos',
  properties: {
    tenant_id: () =>
      p.manyToOne(Tenant).mapToPk().primary().updateRule('no action').deleteRule('no action'),
    sha256: ascii(),
    png: p.blob(),
    created_at: timestamp(),
  },
  indexes: [{ name: 'tenant_logos_sha256', properties: ['sha256'] }],
});
