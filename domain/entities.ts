import { defineEntity, p } from '@mikro-orm/core';

/**
 * What people set up and change: read and written through the ORM. What every charge touches (charges, attempts, captures, events,
 * deliveries) is written by SQL in its own folder, where one round trip is worth more than a unit of work.
 */
export const Tenant = defineEntity({
  name: 'Tenant',
  tableName: 'tenants',
  properties: {
    id: p.string().primary(),
    name: p.string(),
    timeZone: p.string().default('Africa/Lagos'),
    createdAt: p.datetime(),
  },
});

export const Member = defineEntity({
  name: 'Member',
  tableName: 'members',
  properties: {
    id: p.string().primary(),
    tenantId: () => p.manyToOne(Tenant).fieldName('tenant_id').mapToPk(),
    email: p.string(),
    role: p.enum(['owner', 'developer', 'viewer'] as const),
    passwordHash: p.string().nullable(),
    createdAt: p.datetime(),
    disabledAt: p.datetime().nullable(),
  },
});

export const ApiKey = defineEntity({
  name: 'ApiKey',
  tableName: 'api_keys',
  properties: {
    id: p.string().primary(),
    tenantId: () => p.manyToOne(Tenant).fieldName('tenant_id').mapToPk(),
    mode: p.enum(['live', 'test'] as const),
    kind: p.enum(['secret', 'public'] as const),
    /** SHA-256 of the key; the key itself is shown once and kept nowhere. */
    sha256: p.string(),
    last4: p.string(),
    createdAt: p.datetime(),
    revokedAt: p.datetime().nullable(),
  },
});

export const Connection = defineEntity({
  name: 'Connection',
  tableName: 'connections',
  properties: {
    id: p.string().primary(),
    tenantId: () => p.manyToOne(Tenant).fieldName('tenant_id').mapToPk(),
    mode: p.enum(['live', 'test'] as const),
    slot: p.enum(['provider_a', 'provider_b', 'provider_c'] as const),
    adapter: p.string(),
    /** Sealed JSON of the adapter's own credential names. */
    credentials: p.text(),
    /** True: it calls the sandbox, not the provider. Only operator scripts say so, never a tenant. */
    sandbox: p.boolean().default(false),
    /** The order in which `auto` tries the mode's connections. */
    position: p.smallint(),
    createdAt: p.datetime(),
    disabledAt: p.datetime().nullable(),
  },
});

export const WebhookEndpoint = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoints',
  properties: {
    id: p.string().primary(),
    tenantId: () => p.manyToOne(Tenant).fieldName('tenant_id').mapToPk(),
    mode: p.enum(['live', 'test'] as const),
    url: p.string(),
    eventTypes: p.array(),
    /** Sealed `whsec_…`. */
    secret: p.text(),
    status: p.enum(['enabled', 'disabled'] as const).default('enabled'),
    createdAt: p.datetime(),
  },
});

export const entities = [Tenant, Member, ApiKey, Connection, WebhookEndpoint];
