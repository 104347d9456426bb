import { defineEntity, p } from '@mikro-orm/core';
import { ascii, timestamp } from '../../shared/columns.ts';
import { Tenant } from './tenant.ts';

/** A tenant's account at a provider, in one mode. */
export const Connection = defineEntity({
  name: 'Connection',
  tableName: 'connections',
  properties: {
    id: ascii().primary(),
    tenant_id: () => p.manyToOne(Tenant).mapToPk(),
    mode: p.enum(['live', 'test']),
    slot: p.enum(['provider_a', 'provider_b', 'provider_c']),
    adapter: p.text(),
    /** Sealed JSON of the adapter's own credential names. */
    credentials: p.text(),
    /**
     * True: it calls the sandbox, not the provider. Only operator scripts set it, never a tenant.
     */
    sandbox: p.boolean().default(false),
    /** `auto` tries the mode's connections in this order. */
    position: p.smallint(),
    created_at: timestamp(),
    /** When the provider began to refuse the credentials; null: it accepts them. */
    credentials_refused_at: timestamp().strictNullable(),
    /** Until when the provider takes no calls, as its 429 said, by what it counts; null: none. */
    calls_paused: p.json<Record<string, string>>().strictNullable(),
    /** Not null: nothing new is sent through it; what was sent is still checked. */
    disabled_at: timestamp().strictNullable(),
    /** The names of its tasks, as housekeeping created them. */
    tasks: ascii().default(''),
  },
  uniques: [
    { name: 'connections_tenant', properties: ['tenant_id', 'mode', 'id'] },
    {
      name: 'connections_slot',
      properties: ['tenant_id', 'mode', 'slot'],
      where: `disabled_at is null`,
    },
  ],
  indexes: [
    { name: 'connections_tasks', properties: ['adapter', 'tasks'] },
    {
      name: 'connections_refused',
      properties: ['credentials_refused_at'],
      where: `credentials_refused_at is not null and disabled_at is null`,
    },
  ],
});

/** Recurring work of a connection. */
export const ConnectionTask = defineEntity({
  name: 'ConnectionTask',
  tableName: 'connection_tasks',
  properties: {
    id: ascii().primary(),
    connection_id: () => p.manyToOne(Connection).mapToPk().deleteRule('cascade'),
    task: p.enum(['disputes', 'settlements', 'audit', 'payments', 'refunds']),
    /** How far a round got that does not fit into one claim. */
    progress: p.json<unknown>().columnType('json').strictNullable(),
    tries: p.integer().default(0),
    snoozes: p.integer().default(0),
    failures: p.integer().default(0),
    last_error: p.text().strictNullable(),
    enqueues: p.integer().default(0),
    enqueued_at: timestamp().strictNullable(),
    due_at: timestamp().strictNullable(),
    /** When it was last done; null: never. */
    done_at: timestamp().strictNullable(),
  },
  indexes: [
    { name: 'connection_tasks_due', properties: ['due_at'], where: `due_at is not null` },
    {
      name: 'connection_tasks_failing',
      properties: ['failures'],
      where: `failures > 8 and due_at is not null`,
    },
  ],
  uniques: [{ properties: ['connection_id', 'task'] }],
});
