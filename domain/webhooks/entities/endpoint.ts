import { defineEntity, p } from '@mikro-orm/core';
import { Tenant } from '../../accounts/entities/tenant.ts';
import { ascii, timestamp } from '../../shared/columns.ts';
import type { eventTypes } from './event.ts';

/**
 * Why an endpoint is disabled: by a member, because its receiver answered 410, or because it failed
 * for days without a single success.
 */
export const disabledReasons = ['by_hand', 'gone', 'failing'] as const;

export const WebhookEndpoint = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoints',
  properties: {
    id: ascii().primary(),
    tenant_id: () => p.manyToOne(Tenant).mapToPk(),
    mode: p.enum(['live', 'test']),
    url: p.text(),
    event_types: p.array().$type<(typeof eventTypes)[number][]>(),
    /** Sealed `whsec_…`. */
    secret: p.text(),
    /**
     * Previous secrets, and until when each still signs (ISO 8601), newest first; sealed like the
     * secret itself.
     */
    old_secrets: p
      .json<{ secret: string; until: string }[]>()
      .columnType('jsonb')
      .defaultRaw(`'[]'`),
    status: p.enum(['enabled', 'disabled']).default('enabled'),
    /** The first failure since the last success; null when the last try succeeded. */
    failing_since: timestamp().strictNullable(),
    disabled_at: timestamp().strictNullable(),
    disabled_reason: p.enum(disabledReasons).strictNullable(),
    /**
     * The time since which no event arrived, before it was disabled: events since then can be
     * resent.
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
    {
      name: 'webhook_endpoints_disabled',
      properties: ['disabled_at'],
      where: `status = 'disabled' and deleted_at is null`,
    },
  ],
});
