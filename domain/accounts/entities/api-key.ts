import { defineEntity, p } from '@mikro-orm/core';
import { ascii, timestamp } from '../../shared/columns.ts';
import { Tenant } from './tenant.ts';

export const ApiKey = defineEntity({
  name: 'ApiKey',
  tableName: 'api_keys',
  properties: {
    id: ascii().primary(),
    tenant_id: () => p.manyToOne(Tenant).mapToPk(),
    mode: p.enum(['live', 'test']),
    kind: p.enum(['secret', 'public']),
    name: p.text().strictNullable(),
    /** Of the whole key, which is shown once and stored nowhere. */
    sha256: ascii().unique(),
    last4: p.text(),
    allowed_origins: p.array().strictNullable(),
    created_at: timestamp(),
    revoked_at: timestamp().strictNullable(),
  },
  indexes: [{ name: 'api_keys_tenant', properties: ['tenant_id', 'mode'] }],
});
