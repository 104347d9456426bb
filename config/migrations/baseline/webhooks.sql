-- Events, the endpoints of merchants, and the deliveries of the ones to the others.

create table webhook_endpoints (
  id text collate "C" primary key,
  tenant_id text collate "C" not null references tenants,
  mode text not null check (mode in ('live', 'test')),
  url text not null,
  event_types text[] not null,
  secret text not null,
  old_secrets jsonb not null default '[]',
  status text not null default 'enabled' check (status in ('enabled', 'disabled')),
  failing_since timestamptz,
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('by_hand', 'gone', 'failing')),
  missed_since timestamptz,
  created_at timestamptz not null,
  deleted_at timestamptz
);
create index webhook_endpoints_tenant on webhook_endpoints (tenant_id, mode);
create index webhook_endpoints_deleted on webhook_endpoints (deleted_at)
  where deleted_at is not null;
create index webhook_endpoints_disabled on webhook_endpoints (disabled_at)
  where status = 'disabled' and deleted_at is null;

create table event_feed (
  only_row boolean primary key default true check (only_row),
  shift bigint not null
);
insert into event_feed (shift) values (0);

-- A replica that is promoted, or a backup that is restored to a moment, begins a new timeline of the
-- write-ahead log, and counts transactions again that the old primary had counted: each timeline's
-- events come a trillion later, after everything that readers can have seen on the one before.
create function feed_shift() returns bigint stable
  return (select shift + 1000000000000 *
    (('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint - 1)
    from event_feed);

create function event_xact() returns bigint stable
  return pg_current_xact_id()::text::bigint + feed_shift();

-- Partitioned by time, which the id holds, as deliveries are. Housekeeping creates the partitions;
-- the default one takes what has none.
create table events (
  id text collate "C" not null,
  tenant_id text collate "C" not null,
  mode text not null,
  type text not null,
  subject_id text collate "C" not null,
  body text not null,
  created_at timestamptz not null,
  xact bigint not null default event_xact(),
  primary key (tenant_id, mode, id)
) partition by range (id);
create table events_default partition of events default;
create index events_feed on events (tenant_id, mode, xact, id);
create index events_subject on events (subject_id);

-- Without foreign keys: each insert would lock its endpoint, which many deliveries share.
create table deliveries (
  id text collate "C" primary key,
  event_id text collate "C",
  endpoint_id text collate "C" not null,
  tenant_id text collate "C" not null,
  mode text not null,
  status text not null check (status in ('pending', 'delivered', 'exhausted', 'cancelled')),
  resend_of text collate "C",
  tries integer not null default 0,
  snoozes integer not null default 0,
  failures integer not null default 0,
  last_error text,
  due_at timestamptz,
  finished_at timestamptz,
  created_at timestamptz not null
) partition by range (id);
create table deliveries_default partition of deliveries default with (fillfactor = 75);
create index deliveries_due on deliveries (endpoint_id, due_at)
  where due_at is not null and status = 'pending';
create index deliveries_failing on deliveries (failures)
  where failures > 8 and due_at is not null;
-- One index for every list of an endpoint's deliveries: each of them costs every claim and record.
create index deliveries_endpoint on deliveries (endpoint_id, status, id);
create index deliveries_event on deliveries (event_id);
-- For figures: those that were delivered are counted by their tries.
create index deliveries_unsuccessful on deliveries (finished_at)
  where status in ('exhausted', 'cancelled');

create table delivery_tries (
  delivery_id text collate "C" not null,
  endpoint_id text collate "C",
  try integer not null,
  at timestamptz not null,
  duration_ms integer not null,
  since_event_ms integer,
  status_code smallint,
  error text,
  answer text
) partition by range (delivery_id);
create table delivery_tries_default partition of delivery_tries default;
create index delivery_tries_delivery on delivery_tries (delivery_id, try);
create index delivery_tries_newest on delivery_tries (at);
