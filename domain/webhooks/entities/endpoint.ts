import { Tenant } from '../../accounts/entities/tenant.ts';
import { p, table } from '../../shared/columns.ts';
import type { eventTypes } from './event.ts';

/**
 * Why an endpoint is disabled: by a member, because its receiver answered 410, or because it failed
 * for days without a single success.
 */
export const disabledReasons = ['by_hand', 'gone', 'failing'] as const;

export const WebhookEndpoint = table('webhook_endpoints', {
  id: p.ascii().primary(),
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
  old_secrets: p.json<{ secret: string; until: string }[]>().columnType('jsonb'),
  status: p.enum(['enabled', 'disabled']),
  /** The first failure since the last success; null when the last try succeeded. */
  failing_since: p.timestamp().strictNullable(),
  disabled_at: p.timestamp().strictNullable(),
  disabled_reason: p.enum(disabledReasons).strictNullable(),
  /**
   * The time since which no event arrived, before it was disabled: events since then can be
   * resent.
   */
  missed_since: p.timestamp().strictNullable(),
  created_at: p.timestamp(),
  /** Disabled and hidden from its tenant; the row stays as long as its deliveries. */
  deleted_at: p.timestamp().strictNullable(),
});
