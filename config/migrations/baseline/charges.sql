-- Charges with their attempts, captures and history; payment links; what providers notify us of.
-- A foreign key carries the tenant and the mode, so that no row refers to one of another tenant or
-- mode. Attempts and captures have those of their charge, and are referred to with it.
-- Rows that are written on every charge carry no foreign key to tenants and connections: their ids
-- come from those very rows in the same statement, and neither is ever deleted.

-- Gives each charge its number: SV-100001, SV-100002, …
create sequence sv_numbers start 100001;

-- A table whose rows change leaves room on its pages (fillfactor): a row's next version that comes to
-- the same page is logged as the difference, and found through the old one where no index changes.

-- Charges of one mode, status, provider and channel have one of these numbers, which lists read one
-- at a time. What is not paid has the same before and after its payment exists at the provider, so
-- that this change of status, which every charge makes, leaves all indexes alone (HOT). Numbers are
-- stored: a new status or channel takes a free one. Null: the channel is unknown here.
create function charge_list_key(mode text, status text, slot text, channel text) returns smallint
immutable parallel safe
return (case mode when 'live' then 0 else 1024 end
  + 64 * array_position(array['pending', 'succeeded', 'settled', 'failed', 'refunded', 'disputed'],
      case status when 'initiated' then 'pending' else status end)
  + 16 * (array_position(array['provider_a', 'provider_b', 'provider_c'], slot) - 1)
  + case coalesce(channel, '') when '' then 0 else array_position(array['card', 'bank_transfer',
      'ussd', 'qr', 'mobile_money', 'other'], channel) end)::smallint;

create table charges (
  id text collate "C" primary key,
  tenant_id text collate "C" not null,
  mode text not null,
  number bigint not null unique,
  status text not null check (status in
    ('initiated', 'pending', 'succeeded', 'settled', 'failed', 'refunded', 'disputed')),
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
  opener_origin text,
  metadata json not null,
  provider_wanted text not null,
  slot text not null,
  connection_id text collate "C" not null,
  payment_link_id text collate "C",
  created_by text not null check
    (created_by in ('secret', 'public', 'member', 'link', 'import')),
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
  cancel_requested_at timestamptz,
  failed_at timestamptz,
  first_failed_at timestamptz,
  retrying boolean not null default false check (status = 'failed' or not retrying),
  test_scenario text check (test_scenario is null or mode = 'test'),
  -- For indexes, which do not name the status itself.
  list_key smallint generated always as (charge_list_key(mode, status, slot, channel)) stored,
  is_open boolean generated always as (status in ('initiated', 'pending') or retrying) stored,
  is_paid boolean generated always as
    (status in ('succeeded', 'settled', 'refunded', 'disputed')) stored,
  constraint charges_tenant unique (tenant_id, mode, id)
) with (fillfactor = 65);
-- One index per shape of query: by nothing (above); and by mode, status, provider and channel, with
-- a customer, an amount or a settlement and without one. Their few values are read one combination at
-- a time, so that a pair that matches nothing is as quick as one that matches everything. The one
-- by amount is the only one of these that every payment pays for and nothing but lists needs; that
-- by phone number takes only charges that have one. A provider's id is found among the captures.
create index charges_customer on charges
  (tenant_id, lower(email), list_key, id);
create index charges_phone on charges
  (tenant_id, phone, list_key, id) where phone is not null;
create index charges_amount on charges
  (tenant_id, amount_kobo, list_key, id);
create index charges_settlement on charges
  (settlement_id, list_key, id) where settlement_id is not null;
create index charges_combination on charges
  (tenant_id, list_key, id);
-- Days are days of payment, the order is the order of creation: these are the charges that were
-- created before a moment and paid after it, without the many that are paid within the hour.
create extension if not exists btree_gist;
create index charges_underway on charges
  using gist (tenant_id, mode, tstzrange(created_at, occurred_at, '[]'))
  where occurred_at - created_at > interval '1 hour';
-- Merchant references need not be unique: the charge that is meant is the last of them in this
-- order, however many there are.
create index charges_merchant_reference on charges (tenant_id, mode, merchant_reference,
    (is_paid and created_by <> 'import'), (created_by in ('secret', 'member')), id)
  where merchant_reference is not null;
-- Housekeeping walks through these in order, from where it was before.
create index charges_expiry on charges (expires_at, id)
  where is_open;
create index charges_cancel on charges (cancel_requested_at, id)
  where cancel_requested_at is not null and is_open;
create unique index charges_open_link on charges (payment_link_id)
  where payment_link_id is not null and is_open;
create index charges_link on charges (payment_link_id, id) where payment_link_id is not null;
create index charges_retrying on charges (tenant_id, mode) where retrying;

-- Customers by the words of their names, and by '', which finds all. Only inserted, with the charge:
-- a customer whom all its words find already costs it look-ups.
create table customer_words (
  tenant_id text collate "C" not null,
  mode text not null,
  email text collate "C" not null,
  word text collate "C" not null,
  customer_id text collate "C" not null,
  primary key (tenant_id, mode, email, word)
);
create index customer_words_newest on customer_words (tenant_id, mode, word, customer_id);

create table attempts (
  id text collate "C" primary key,
  charge_id text collate "C" not null references charges,
  connection_id text collate "C" not null,
  slot text not null,
  reference text collate "C" not null,
  status text not null check (status in
    ('queued', 'sending', 'unconfirmed', 'open', 'captured', 'declined', 'expired', 'refused',
      'lost', 'cancelled')),
  url text,
  link_expires_at timestamptz,
  sent_at timestamptz,
  accepted_at timestamptz,
  verified_at timestamptz,
  asked_at timestamptz,
  notified_at timestamptz,
  refunds_notified_at timestamptz,
  refunds_verified_at timestamptz,
  disputes_notified_at timestamptz,
  disputes_verified_at timestamptz,
  tries integer not null default 0,
  snoozes integer not null default 0,
  failures integer not null default 0,
  last_error text,
  due_at timestamptz,
  created_at timestamptz not null,
  -- Ours are unique; an account may have used those of imported payments as it liked.
  constraint attempts_reference unique (reference, connection_id),
  constraint attempts_charge unique (charge_id, id)
) with (fillfactor = 75);
-- Due rows of each queue, connection by connection.
create index attempts_create_due on attempts (connection_id, due_at)
  where due_at is not null and status in ('queued', 'sending', 'unconfirmed');
create index attempts_check_due on attempts (connection_id, due_at)
  where due_at is not null
    and status in ('open', 'lost', 'captured', 'declined', 'expired', 'refused');
create index attempts_failing on attempts (failures)
  where failures > 8 and due_at is not null;

create table captures (
  id text collate "C" primary key,
  charge_id text collate "C" not null references charges,
  attempt_id text collate "C" not null,
  connection_id text collate "C" not null,
  provider_payment_id text not null,
  status text not null check (status in ('on_hold', 'applied', 'duplicate')),
  amount_kobo bigint not null,
  payer_fee_kobo bigint not null default 0,
  fee_kobo bigint,
  kept_kobo bigint not null default 0,
  currency text not null,
  channel text not null,
  captured_at timestamptz not null,
  recorded_at timestamptz not null,
  settles_on date,
  settlement_id text collate "C",
  listed_at timestamptz,
  changed_at timestamptz,
  unique (connection_id, provider_payment_id),
  constraint captures_charge unique (charge_id, id),
  foreign key (charge_id, attempt_id) references attempts (charge_id, id)
);
-- At most one payment of a charge is applied.
create unique index captures_applied on captures (charge_id) where status = 'applied';
create index captures_unplanned on captures (connection_id, id) where settles_on is null;
-- With the amounts, so that forecasts read nothing but the index.
create index captures_unsettled on captures (connection_id, settles_on, charge_id)
  include (amount_kobo, fee_kobo) where settlement_id is null;
create index captures_changed on captures (connection_id) where changed_at is not null;
create index captures_unlisted on captures (connection_id, captured_at) where listed_at is null;

create table planned_days (
  connection_id text collate "C" not null,
  day date not null,
  amount_kobo bigint not null,
  fee_kobo bigint not null,
  count integer not null,
  primary key (connection_id, day)
);

create table planned_day_changes (
  id bigint generated always as identity primary key,
  connection_id text collate "C" not null,
  day date not null
);
create index planned_day_changes_connection on planned_day_changes (connection_id);

-- Partitioned by the time of the charge, which its id holds, as evidence is.
create table timeline_entries (
  id text collate "C" not null,
  position bigint generated always as identity,
  charge_id text collate "C" not null,
  at timestamptz not null,
  what text not null,
  detail text,
  amount_kobo bigint,
  attempt_id text collate "C",
  evidence_sha256 text,
  primary key (charge_id, position)
) partition by range (charge_id);
create table timeline_entries_default partition of timeline_entries default;

create table evidence (
  charge_id text collate "C" not null,
  sha256 text not null,
  payload text not null,
  created_at timestamptz not null
) partition by range (charge_id);
create table evidence_default partition of evidence default;
create index evidence_charge on evidence (charge_id);

create table payment_links (
  id text collate "C" primary key,
  tenant_id text collate "C" not null,
  mode text not null,
  amount_kobo bigint not null check (amount_kobo > 0),
  description text not null,
  customer_name text,
  customer_email text,
  customer_phone text,
  provider_wanted text not null,
  status text not null check (status in ('active', 'paid', 'expired', 'disabled')),
  transaction_id text collate "C",
  created_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint payment_links_tenant unique (tenant_id, mode, id),
  foreign key (tenant_id, mode, transaction_id) references charges (tenant_id, mode, id)
);
alter table charges add foreign key (tenant_id, mode, payment_link_id)
  references payment_links (tenant_id, mode, id);
create index payment_links_status on payment_links (tenant_id, mode, status, id);
create index payment_links_customer on payment_links (tenant_id, mode, lower(customer_email), id)
  where customer_email is not null;
create index payment_links_expiry on payment_links (expires_at) where status = 'active';
create index payment_links_overdue on payment_links (tenant_id, mode, expires_at)
  where status = 'active';

create table notifications (
  id text collate "C" primary key,
  connection_id text collate "C" not null,
  body_sha256 text not null,
  body text not null,
  event text not null,
  about text not null default 'payment' check (about in
    ('payment', 'refund', 'dispute', 'settlement', 'other')),
  payment_references text[] not null,
  payment_ids text[] not null default '{}',
  status text not null check (status in ('received', 'processed', 'ignored')),
  tries integer not null default 0,
  snoozes integer not null default 0,
  failures integer not null default 0,
  last_error text,
  due_at timestamptz,
  created_at timestamptz not null,
  arrived_at timestamptz,
  processed_at timestamptz,
  unique (connection_id, body_sha256)
) with (fillfactor = 65);
create index notifications_due on notifications (connection_id, due_at)
  where due_at is not null and status = 'received';
create index notifications_failing on notifications (failures)
  where failures > 8 and due_at is not null;

create table daily_figures (
  tenant_id text collate "C" not null,
  mode text not null,
  day date not null,
  slot text not null,
  channel text not null default 'none',
  succeeded integer not null default 0,
  failed integer not null default 0,
  collected_kobo bigint not null default 0,
  fee_kobo bigint not null default 0,
  refunded_kobo bigint not null default 0,
  primary key (tenant_id, mode, day, slot, channel)
);

create table figure_changes (
  id bigint generated always as identity primary key,
  tenant_id text collate "C" not null,
  mode text not null,
  at timestamptz not null,
  slot text not null,
  channel text not null default 'none',
  succeeded integer not null default 0,
  failed integer not null default 0,
  collected_kobo bigint not null default 0,
  fee_kobo bigint not null default 0,
  refunded_kobo bigint not null default 0
);
create index figure_changes_tenant on figure_changes (tenant_id, mode);
