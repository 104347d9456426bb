import { Migration } from '@mikro-orm/migrations';

/** Webhook endpoints that merchants manage themselves, and deliveries that can be resent, counted and dropped. */
export class Migration0007WebhookEndpoints extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}

const statements = [
  `alter table webhook_endpoints
    -- Secrets that still sign, for receivers that have not changed yet: [{ secret, until }], sealed like the secret itself.
    add column old_secrets jsonb not null default '[]',
    -- The first failure since the last success; null when the last try succeeded.
    add column failing_since timestamptz,
    add column disabled_at timestamptz,
    add column disabled_reason text check (disabled_reason in ('by_hand', 'gone', 'failing')),
    -- From when on it was sent nothing, or nothing arrived, while it was disabled: what may be sent now.
    add column missed_since timestamptz,
    -- Disabled, and nobody's any more; the row stays as long as its deliveries.
    add column deleted_at timestamptz`,
  'create index webhook_endpoints_deleted on webhook_endpoints (deleted_at) where deleted_at is not null',
  `alter table deliveries
    -- Null: a test delivery, which is about no event.
    alter column event_id drop not null,
    -- The delivery it repeats.
    add column resend_of text collate "C",
    add column snoozes integer not null default 0`,
  `create index deliveries_undelivered on deliveries (endpoint_id, status, id) where status <> 'delivered'`,
  'create index deliveries_age on deliveries using brin (created_at)',
  'create index deliveries_finished on deliveries using brin (finished_at)',
  `alter table delivery_tries
    add column endpoint_id text collate "C",
    -- From the event to the end of this try, in ms; null from the second try on, for tests, and for what was resent.
    add column since_event_ms integer`,
];
