-- Tenants, their members and credentials, their provider accounts, and who changed what.
-- The entities say what tables and columns hold; here is why they are stored as they are.

create table tenants (
  id text collate "C" primary key,
  name text not null,
  time_zone text not null default 'Africa/Lagos',
  requires_second_factor boolean not null default false,
  support_email text,
  support_phone text,
  sends_receipts boolean not null default false,
  sends_payment_links boolean not null default false,
  refunds_require_second_person boolean not null default false,
  refunds_require_two_owners_above_kobo bigint check (refunds_require_two_owners_above_kobo >= 0),
  created_at timestamptz not null
);

create table former_time_zones (
  tenant_id text collate "C" not null references tenants,
  until timestamptz not null,
  time_zone text not null,
  primary key (tenant_id, until)
);

create table tenant_logos (
  tenant_id text collate "C" primary key references tenants,
  sha256 text collate "C" not null,
  png bytea not null,
  created_at timestamptz not null
);
create index tenant_logos_sha256 on tenant_logos (sha256);

create table members (
  id text collate "C" primary key,
  tenant_id text collate "C" not null references tenants,
  email text not null,
  name text,
  role text not null check (role in ('owner', 'developer', 'finance', 'support', 'viewer')),
  password_hash text,
  totp_secret text,
  totp_enrolled_at timestamptz,
  totp_step bigint,
  created_at timestamptz not null,
  disabled_at timestamptz
);
-- One person may belong to several businesses with one e-mail address.
create unique index members_email on members (lower(email), tenant_id);
create index members_tenant on members (tenant_id, id);

create table member_links (
  sha256 text collate "C" primary key,
  member_id text collate "C" not null references members,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index member_links_member on member_links (member_id);
create index member_links_expiry on member_links (expires_at);

create table recovery_codes (
  sha256 text collate "C" primary key,
  member_id text collate "C" not null references members,
  created_at timestamptz not null,
  used_at timestamptz
);
create index recovery_codes_member on recovery_codes (member_id);

create table token_families (
  id text collate "C" primary key,
  member_id text collate "C" not null references members,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index token_families_member on token_families (member_id);
create index token_families_expiry on token_families (expires_at);

create table user_tokens (
  sha256 text collate "C" primary key,
  family_id text collate "C" not null references token_families on delete cascade,
  kind text not null check (kind in ('access', 'refresh')),
  mode text not null check (mode in ('live', 'test')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  successor_sha256 text collate "C",
  exchanged_for text
);
create index user_tokens_family on user_tokens (family_id);
create index user_tokens_expiry on user_tokens (expires_at);
create index user_tokens_exchanged on user_tokens (used_at) where exchanged_for is not null;

create table dashboard_sessions (
  family_id text collate "C" not null references token_families on delete cascade,
  sha256 text collate "C" primary key,
  status text not null check (status in ('awaiting_code', 'awaiting_enrolment', 'active')),
  mode text not null check (mode in ('live', 'test')),
  user_agent text not null,
  network text not null,
  last_seen_at timestamptz not null,
  signed_in_at timestamptz,
  code_given_at timestamptz
);
create index dashboard_sessions_family on dashboard_sessions (family_id);

create table api_keys (
  id text collate "C" primary key,
  tenant_id text collate "C" not null references tenants,
  mode text not null check (mode in ('live', 'test')),
  kind text not null check (kind in ('secret', 'public')),
  name text,
  sha256 text collate "C" not null unique,
  public_key text check ((kind = 'public') = (public_key is not null)),
  last4 text not null,
  allowed_origins text[],
  min_amount_kobo bigint,
  max_amount_kobo bigint,
  description text,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
create index api_keys_tenant on api_keys (tenant_id, mode);

create view credentials as
  select sha256, tenant_id, mode, kind as role, id as subject_id, null as member_id,
    allowed_origins, min_amount_kobo, max_amount_kobo, description, expires_at
  from api_keys where revoked_at is null
  union all
  select t.sha256, m.tenant_id, t.mode, m.role, f.id, m.id, null, null, null, null,
    t.expires_at
  from user_tokens t
    join token_families f on f.id = t.family_id
    join members m on m.id = f.member_id
  where t.kind = 'access' and f.revoked_at is null and m.disabled_at is null;

create table connections (
  id text collate "C" primary key,
  tenant_id text collate "C" not null references tenants,
  mode text not null check (mode in ('live', 'test')),
  slot text not null check (slot in ('provider_a', 'provider_b', 'provider_c')),
  adapter text not null,
  credentials text not null,
  sandbox boolean not null default false,
  position smallint not null,
  created_at timestamptz not null,
  credentials_refused_at timestamptz,
  calls_paused jsonb,
  disabled_at timestamptz,
  importing_since timestamptz,
  tasks text collate "C" not null default '',
  constraint connections_tenant unique (tenant_id, mode, id)
);
-- A disabled connection gives up its slot, and stays for the payments made through it.
create unique index connections_slot on connections (tenant_id, mode, slot)
  where disabled_at is null;
-- Those that lack a task of their adapter have other `tasks` than it wants.
create index connections_tasks on connections (adapter, tasks);
create index connections_refused on connections (credentials_refused_at)
  where credentials_refused_at is not null and disabled_at is null;
create index connections_importing on connections (importing_since)
  where importing_since is not null;

create table connection_tasks (
  id text collate "C" primary key,
  connection_id text collate "C" not null references connections on delete cascade,
  task text not null check (task in
    ('disputes', 'settlements', 'audit', 'payments', 'refunds', 'books')),
  progress json,
  tries integer not null default 0,
  snoozes integer not null default 0,
  failures integer not null default 0,
  last_error text,
  due_at timestamptz,
  done_at timestamptz,
  unique (connection_id, task)
);
create index connection_tasks_due on connection_tasks (due_at) where due_at is not null;
create index connection_tasks_failing on connection_tasks (failures)
  where failures > 8 and due_at is not null;

-- Not partitioned by day: a key must stay unique over its whole seven days, midnight included.
create table idempotency_keys (
  tenant_id text collate "C" not null,
  mode text not null,
  scope text not null,
  key text not null,
  body_sha256 text not null,
  status smallint not null,
  answer text,
  sealed boolean not null default false,
  created_at timestamptz not null,
  primary key (tenant_id, mode, scope, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);
create index idempotency_keys_sealed on idempotency_keys (created_at) where sealed;

create table audit_entries (
  id text collate "C" primary key,
  tenant_id text collate "C" not null,
  mode text,
  at timestamptz not null,
  actor text not null,
  action text not null,
  subject_id text not null,
  detail text
);
create index audit_entries_tenant on audit_entries (tenant_id, mode, id);
-- Concerning both modes: in order by id, which an index on (mode, id) does not promise for null.
create index audit_entries_both on audit_entries (tenant_id, id) where mode is null;

-- Requests to the API by a tenant's credentials, for its developers, kept for a week. Partitioned by
-- time, which the id holds. Housekeeping creates the partitions; the default one takes what has none.
create table request_log (
  id text collate "C" not null,
  tenant_id text collate "C" not null,
  mode text not null,
  at timestamptz not null,
  method text not null,
  path text not null,
  status smallint not null,
  duration_ms integer not null,
  credential_id text collate "C" not null,
  error text,
  body text,
  answer text,
  primary key (tenant_id, mode, id)
) partition by range (id);
create table request_log_default partition of request_log default;
create index request_log_refused on request_log (tenant_id, mode, id) where status >= 400;
