import { defineEntity, p } from '@mikro-orm/core';
import { Tenant } from '../../accounts/entities/tenant.ts';
import { ascii, timestamp } from '../../shared/columns.ts';

export const WebhookEndpoint = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoints',
  properties: {
    id: ascii().primary(),
    tenant_id: () => p.manyToOne(Tenant).mapToPk(),
    mode: p.enum(['live', 'test']),
    url: p.text(),
    event_types: p.array(),
    /** Sealed `whsec_…`. */
    secret: p.text(),
    /**
     * Secrets that still sign, for receivers that have not changed yet: [{ secret, until }], sealed
     * like the secret itself.
     */
    old_secrets: p
      .json<{ secret: string; until: string }[]>()
      .columnType('jsonb')
      .defaultRaw(`'[]'`),
    status: p.enum(['enabled', 'disabled']).default('enabled'),
    /** The first failure since the last success; null when the last try succeeded. */
    failing_since: timestamp().strictNullable(),
    disabled_at: timestamp().strictNullable(),
    disabled_reason: p.enum(['by_hand', 'gone', 'failing']).strictNullable(),
    /**
     * The moment since which nothing was sent, or nothing arrived, before it was disabled: what it
     * missed since then may be sent now.
     */
    missed_since: timestamp().strictNullable(),
    created_at: timestamp(),
    /** Disabled and hidden from its tenant; the row stays as long as its deliveries. */
    deleted_at: timestamp().strictNullable(),
  },
  indexes: [
    { name: 'webhook_endpoints_tenant', properties: ['tenant_id', 'mode'] },
    {
      name: 'webhook_endpoints_deleted',
      properties: ['deleted_at'],
      where: `deleted_at is not null`,
    },
  ],
});
