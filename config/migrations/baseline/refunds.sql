-- Money that goes back, or may have to: refunds, disputes, and what a person decides.

create table refunds (
  id text collate "C" primary key,
  tenant_id text collate "C" not null,
  mode text not null,
  charge_id text collate "C" not null,
  capture_id text collate "C",
  connection_id text collate "C",
  amount_kobo bigint not null check (amount_kobo > 0),
  reason text not null,
  status text not null check (status in
    ('requested', 'approved', 'sending', 'unconfirmed', 'unresolved', 'processing',
      'needs_attention', 'completed', 'failed', 'reappeared', 'rejected', 'cancelled')),
  origin text not null default 'merchant' check (origin in ('merchant', 'provider', 'system')),
  requested_by text not null,
  first_approved_by text,
  first_approved_at timestamptz,
  decided_by text,
  decided_at timestamptz,
  approved_at timestamptz,
  rejection_reason text,
  attention text,
  failure_message text,
  provider_reference text,
  provider_refund_id text,
  sent_at timestamptz,
  accepted_at timestamptz,
  completed_at timestamptz,
  deducted_kobo bigint not null default 0,
  paid_from text not null default 'provider' check (paid_from in ('provider', 'bank')),
  tries integer not null default 0,
  snoozes integer not null default 0,
  failures integer not null default 0,
  last_error text,
  due_at timestamptz,
  created_at timestamptz not null,
  foreign key (tenant_id, mode, charge_id) references charges (tenant_id, mode, id),
  foreign key (charge_id, capture_id) references captures (charge_id, id),
  foreign key (tenant_id, mode, connection_id) references connections (tenant_id, mode, id)
);
create index refunds_tenant on refunds (tenant_id, mode, id);
create index refunds_status on refunds (tenant_id, mode, status, id);
create index refunds_charge on refunds (charge_id);
create index refunds_capture on refunds (capture_id) where capture_id is not null;
create unique index refunds_provider on refunds (connection_id, provider_refund_id)
  where provider_refund_id is not null;
create index refunds_execute_due on refunds (connection_id, due_at)
  where due_at is not null and status = 'approved';
create index refunds_check_due on refunds (connection_id, due_at)
  where due_at is not null and status in
    ('sending', 'unconfirmed', 'unresolved', 'processing', 'needs_attention', 'reappeared');
create index refunds_failing on refunds (failures)
  where failures > 8 and due_at is not null;
create index refunds_attention on refunds (id) where attention is not null;
create index refunds_owed on refunds (connection_id, id)
  where status = 'completed' and deducted_kobo < amount_kobo;

create table refund_listings (
  connection_id text collate "C" primary key,
  covered_from timestamptz not null,
  generation integer not null default 1,
  listed_from timestamptz not null,
  known_count integer not null default 0,
  next_page integer not null default 1,
  walks integer not null default 1,
  begun_at timestamptz not null,
  whole_at timestamptz,
  trusts_total boolean not null default false
);

-- Not partitioned: a refund stays unique by its own id, whenever it is listed again.
create table listed_refunds (
  connection_id text collate "C" not null,
  provider_payment_id text not null,
  provider_refund_id text not null,
  refund_id text collate "C",
  generation integer not null,
  listed_at timestamptz not null,
  is_recorded boolean not null default false,
  primary key (connection_id, provider_payment_id, provider_refund_id)
);
create index listed_refunds_age on listed_refunds (listed_at);
create index listed_refunds_unrecorded on listed_refunds (connection_id, listed_at)
  where not is_recorded;

create table disputes (
  id text collate "C" primary key,
  tenant_id text collate "C" not null,
  mode text not null,
  charge_id text collate "C" not null,
  capture_id text collate "C" not null,
  connection_id text collate "C" not null,
  provider_dispute_id text,
  amount_kobo bigint not null,
  reason text,
  respond_by timestamptz,
  deducted_kobo bigint not null default 0,
  status text not null check (status in ('open', 'won', 'lost')),
  entered_by text not null check (entered_by in ('provider', 'operator')),
  asked_at timestamptz,
  opened_at timestamptz not null,
  decided_at timestamptz,
  foreign key (tenant_id, mode, charge_id) references charges (tenant_id, mode, id),
  foreign key (charge_id, capture_id) references captures (charge_id, id),
  foreign key (tenant_id, mode, connection_id) references connections (tenant_id, mode, id)
);
create unique index disputes_provider on disputes (connection_id, provider_dispute_id)
  where provider_dispute_id is not null;
create unique index disputes_tenant on disputes (tenant_id, mode, id);
create index disputes_status on disputes (tenant_id, mode, status, id);
create index disputes_capture on disputes (capture_id);
create index disputes_charge on disputes (charge_id);
create index disputes_open on disputes (connection_id, id) where status = 'open';
create index disputes_respond on disputes (tenant_id, mode, respond_by) where status = 'open';
create index disputes_owed on disputes (connection_id, id)
  where status = 'lost' and deducted_kobo < amount_kobo;

-- What a merchant says to a dispute. One refused by its provider may be followed by another.
create table dispute_responses (
  id text collate "C" primary key,
  tenant_id text collate "C" not null,
  mode text not null,
  dispute_id text collate "C" not null,
  charge_id text collate "C" not null,
  connection_id text collate "C" not null,
  kind text not null check (kind in ('evidence', 'acceptance')),
  content text,
  file text,
  file_type text check (file_type in ('pdf', 'jpeg', 'png')),
  status text not null check (status in
    ('requested', 'waiting', 'sending', 'sent', 'refused')),
  requested_by text not null,
  approved_at timestamptz,
  failure_message text,
  finished_at timestamptz,
  tries integer not null default 0,
  snoozes integer not null default 0,
  failures integer not null default 0,
  last_error text,
  due_at timestamptz,
  created_at timestamptz not null,
  foreign key (tenant_id, mode, charge_id) references charges (tenant_id, mode, id),
  foreign key (tenant_id, mode, dispute_id) references disputes (tenant_id, mode, id),
  foreign key (tenant_id, mode, connection_id) references connections (tenant_id, mode, id)
);
create index dispute_responses_dispute on dispute_responses (dispute_id, id);
create unique index dispute_responses_once on dispute_responses (dispute_id)
  where status <> 'refused';
create index dispute_responses_charge on dispute_responses (charge_id);
create index dispute_responses_due on dispute_responses (connection_id, due_at)
  where due_at is not null and status in ('waiting', 'sending');
create index dispute_responses_failing on dispute_responses (failures)
  where failures > 8 and due_at is not null;

create table reviews (
  id text collate "C" primary key,
  tenant_id text collate "C" not null,
  mode text not null,
  charge_id text collate "C" not null,
  capture_id text collate "C",
  reason text not null,
  detail text not null,
  amount_kobo bigint,
  status text not null default 'open' check (status in
    ('open', 'accepted', 'returned', 'resolved')),
  first_approved_by text,
  first_approved_at timestamptz,
  decided_by text,
  decided_at timestamptz,
  created_at timestamptz not null,
  foreign key (tenant_id, mode, charge_id) references charges (tenant_id, mode, id),
  foreign key (charge_id, capture_id) references captures (charge_id, id)
);
create index reviews_open on reviews (tenant_id, mode, (status = 'open'), id);
create index reviews_reason on reviews (tenant_id, mode, reason, id);
create index reviews_tenant on reviews (tenant_id, mode, id);
create index reviews_charge on reviews (charge_id);
create unique index reviews_once on reviews (charge_id, reason, coalesce(capture_id, ''))
  where status = 'open';
