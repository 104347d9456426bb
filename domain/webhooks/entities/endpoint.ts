import { Tenant } from '../../accounts/entities/tenant.ts';
import { p, table } from '../../shared/columns.ts';
import type { eventTypes } from './event.ts';

/** `gone`: its receiver answered 410. `failing`: for days without a success. */
export const disabledReasons = ['by_hand', 'gone', 'failing'] as const;

export const WebhookEndpoint = table('webhook_endpoints', {
  id: p.ascii().primary(),
  tenant_id: () => p.manyToOne(Tenant).mapToPk(),
  mode: p.enum(['live', 'test']),
  url: p.text(),
  event_types: p.array().$type<(typeof eventTypes)[number][]>(),
  /** Sealed `whsec_…`. */
  secret: p.text(),
  /** Sealed, newest first, with the time until which each signs (ISO 8601). */
  old_secrets: p.json<{ secret: string; until: string }[]>().columnType('jsonb'),
  status: p.enum(['enabled', 'disabled']),
  /** Since the last success. */
  failing_since: p.timestamp().strictNullable(),
  disabled_at: p.timestamp().strictNullable(),
  disabled_reason: p.enum(disabledReasons).strictNullable(),
  /** Events since then can be resent. */
  missed_since: p.timestamp().strictNullable(),
  created_at: p.timestamp(),
  /** Hidden from its tenant; the row stays as long as its deliveries. */
  deleted_at: p.timestamp().strictNullable(),
});
