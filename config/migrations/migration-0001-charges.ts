import { Migration } from '@mikro-orm/migrations';

/** Everything the main job stands on: tenants and their credentials, charges with their attempts, captures and history, events out. */
export class Migration0001Charges extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}

const tenants = [
  `create table tenants (
    id text collate "C" primary key,
    name text not null,
    time_zone text not null default 'Africa/Lagos',
    created_at timestamptz not null
  )`,
  `create table members (
    id text collate "C" primary key,
    tenant_id text collate "C" not null references tenants,
    email text not null,
    role text not null check (role in ('owner', 'developer', 'viewer')),
    password_hash text,
    created_at timestamptz not null,
    disabled_at timestamptz
  )`,
  'create unique index members_email on members (lower(email))',
  `create table api_keys (
    id text collate "C" primary key,
    tenant_id text collate "C" not null references tenants,
    mode text not null check (mode in ('live', 'test')),
    kind text not null check (kind in ('secret', 'public')),
    sha256 text collate "C" not null unique,
    last4 text not null,
    created_at timestamptz not null,
    revoked_at timestamptz
  )`,
  'create index api_keys_tenant on api_keys (tenant_id, mode)',
  `create table connections (
    id text collate "C" primary key,
    tenant_id text collate "C" not null references tenants,
    mode text not null check (mode in ('live', 'test')),
    slot text not null check (slot in ('provider_a', 'provider_b', 'provider_c')),
    adapter text not null,
    credentials text not null,
    sandbox boolean not null default false,
    position smallint not null,
    created_at timestamptz not null,
    disabled_at timestamptz
  )`,
  'create unique index connections_slot on connections (tenant_id, mode, slot)',
  `create table webhook_endpoints (
    id text collate "C" primary key,
    tenant_id text collate "C" not null references tenants,
    mode text not null check (mode in ('live', 'test')),
    url text not null,
    event_types text[] not null,
    secret text not null,
    status text not null default 'enabled' check (status in ('enabled', 'disabled')),
    created_at timestamptz not null
  )`,
  'create index webhook_endpoints_tenant on webhook_endpoints (tenant_id, mode)',
];

// Rows that are written on every charge carry no foreign key to tenants and connections: their ids come from those very rows in the
// same statement, and nothing of either is ever deleted.
const charges = [
  'create sequence sv_numbers start 100001',
  `create table charges (
    id text collate "C" primary key,
    tenant_id text collate "C" not null,
    mode text not null,
    number bigint not null unique,
    status text not null check (status in ('initiated', 'pending', 'succeeded', 'settled', 'failed', 'refunded', 'disputed')),
    merchant_reference text,
    amount_kobo bigint not null check (amount_kobo > 0),
    fee_kobo bigint not null default 0,
    refunded_kobo bigint not null default 0 check (refunded_kobo between 0 and amount_kobo),
    currency text not null,
    email text not null,
    name text,
    phone text,
    description text,
    return_url text,
    metadata json not null,
    provider_wanted text not null,
    slot text not null,
    connection_id text collate "C" not null,
    created_by text not null check (created_by in ('secret', 'public', 'member', 'link')),
    channel text,
    provider_reference text,
    failure_message text,
    failure_cause text,
    capture_id text collate "C",
    occurred_at timestamptz not null,
    settled_at timestamptz,
    settlement_id text collate "C",
    recovered boolean not null default false,
    review text[] not null default '{}',
    created_at timestamptz not null,
    expires_at timestamptz not null,
    failed_at timestamptz
  )`,
  'create index charges_tenant on charges (tenant_id, mode, id)',
  'create index charges_merchant_reference on charges (tenant_id, mode, merchant_reference) where merchant_reference is not null',
  `create index charges_expiry on charges (expires_at) where status in ('initiated', 'pending')`,
  `create table attempts (
    id text collate "C" primary key,
    charge_id text collate "C" not null references charges,
    connection_id text collate "C" not null,
    slot text not null,
    reference text collate "C" not null unique,
    status text not null check (status in ('sending', 'open', 'captured', 'declined', 'expired', 'refused', 'lost')),
    url text,
    link_expires_at timestamptz,
    sent_at timestamptz,
    accepted_at timestamptz,
    verified_at timestamptz,
    asked_at timestamptz,
    tries integer not null default 0,
    enqueues integer not null default 0,
    enqueued_at timestamptz,
    due_at timestamptz,
    created_at timestamptz not null
  )`,
  'create index attempts_charge on attempts (charge_id)',
  'create index attempts_due on attempts (due_at) where due_at is not null',
  `create table captures (
    id text collate "C" primary key,
    charge_id text collate "C" not null references charges,
    attempt_id text collate "C" not null references attempts,
    connection_id text collate "C" not null,
    provider_payment_id text not null,
    status text not null check (status in ('applied', 'duplicate', 'on_hold')),
    amount_kobo bigint not null,
    fee_kobo bigint,
    currency text not null,
    channel text not null,
    captured_at timestamptz not null,
    recorded_at timestamptz not null,
    unique (connection_id, provider_payment_id)
  )`,
  'create index captures_charge on captures (charge_id)',
  `create unique index captures_applied on captures (charge_id) where status = 'applied'`,
  `create table timeline_entries (
    id text collate "C" primary key,
    position bigint generated always as identity,
    charge_id text collate "C" not null,
    at timestamptz not null,
    what text not null,
    detail text,
    amount_kobo bigint,
    attempt_id text collate "C",
    evidence_sha256 text
  )`,
  'create index timeline_entries_charge on timeline_entries (charge_id, position)',
  `create table evidence (
    charge_id text collate "C" not null,
    sha256 text not null,
    payload text not null,
    created_at timestamptz not null
  )`,
  'create index evidence_charge on evidence (charge_id)',
  'create index evidence_age on evidence using brin (created_at)',
  // Not partitioned by day: a key must stay unique over its whole seven days, midnight included.
  `create table idempotency_keys (
    tenant_id text collate "C" not null,
    mode text not null,
    scope text not null,
    key text not null,
    body_sha256 text not null,
    status smallint not null,
    answer text not null,
    created_at timestamptz not null,
    primary key (tenant_id, mode, scope, key)
  )`,
  'create index idempotency_keys_age on idempotency_keys using brin (created_at)',
];

const messages = [
  `create table notifications (
    id text collate "C" primary key,
    connection_id text collate "C" not null,
    body_sha256 text not null,
    body text not null,
    event text not null,
    payment_references text[] not null,
    status text not null check (status in ('received', 'processed', 'ignored')),
    tries integer not null default 0,
    enqueues integer not null default 0,
    enqueued_at timestamptz,
    due_at timestamptz,
    created_at timestamptz not null,
    unique (connection_id, body_sha256)
  )`,
  'create index notifications_due on notifications (due_at) where due_at is not null',
  'create index notifications_age on notifications using brin (created_at)',
  `create table events (
    id text collate "C" primary key,
    tenant_id text collate "C" not null,
    mode text not null,
    type text not null,
    subject_id text collate "C" not null,
    body text not null,
    created_at timestamptz not null
  )`,
  'create index events_tenant on events (tenant_id, mode, id)',
  `create unique index events_once on events (subject_id) where type = 'charge.succeeded'`,
  `create table deliveries (
    id text collate "C" primary key,
    event_id text collate "C" not null references events,
    endpoint_id text collate "C" not null references webhook_endpoints,
    tenant_id text collate "C" not null,
    mode text not null,
    status text not null check (status in ('pending', 'delivered', 'exhausted', 'cancelled')),
    tries integer not null default 0,
    enqueues integer not null default 0,
    enqueued_at timestamptz,
    due_at timestamptz,
    finished_at timestamptz,
    created_at timestamptz not null
  )`,
  'create index deliveries_due on deliveries (due_at) where due_at is not null',
  'create index deliveries_endpoint on deliveries (endpoint_id, id)',
  'create index deliveries_event on deliveries (event_id)',
  `create table delivery_tries (
    delivery_id text collate "C" not null,
    try integer not null,
    at timestamptz not null,
    duration_ms integer not null,
    status_code smallint,
    error text,
    answer text
  )`,
  'create index delivery_tries_delivery on delivery_tries (delivery_id, try)',
  'create index delivery_tries_age on delivery_tries using brin (at)',
];

const statements = [...tenants, ...charges, ...messages];
