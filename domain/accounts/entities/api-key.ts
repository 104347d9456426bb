import { defineEntity, p } from '@mikro-orm/core';
import { ascii, kobo, timestamp } from '../../shared/columns.ts';
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
    /**
     * What a public key may be used for: from which origins, which amounts, and the description
     * that its charges have. Null: anything.
     */
    allowed_origins: p.array().strictNullable(),
    min_amount_kobo: kobo().strictNullable(),
    max_amount_kobo: kobo().strictNullable(),
    description: p.text().strictNullable(),
    created_at: timestamp(),
    revoked_at: timestamp().strictNullable(),
  },
  indexes: [{ name: 'api_keys_tenant', properties: ['tenant_id', 'mode'] }],
});
