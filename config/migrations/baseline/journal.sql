-- Every movement of money, between two accounts. Rows are appended and never changed; what is old
-- goes with its partition. Partitioned by time, which the id holds. Without foreign keys: each
-- insert would lock its connection, which many payments share.
create table postings (
  id text collate "C" primary key,
  tenant_id text collate "C" not null,
  mode text not null,
  connection_id text collate "C" not null,
  debit text not null,
  credit text not null,
  amount_kobo bigint not null check (amount_kobo > 0),
  type text not null,
  source text collate "C" not null,
  sequence integer not null,
  occurred_at timestamptz not null,
  created_at timestamptz not null,
  check (debit <> credit)
) partition by range (id);
create table postings_default partition of postings default;
create index postings_connection on postings (connection_id, id);
create index postings_type on postings (connection_id, type, id);
-- They are few among captures and refunds.
create index postings_payers on postings (connection_id, id)
  where debit = 'payers' or credit = 'payers';
create index postings_source on postings (source);

-- For statements of a month, wherever it begins between 14 hours before its first midnight in UTC
-- and 12 after: what was posted in a later month than the one it belongs to, and the few around a
-- month's beginning.
create function may_be_late(occurred_at timestamptz, created_at timestamptz) returns boolean
immutable parallel safe
return date_trunc('month', occurred_at at time zone 'UTC' - interval '12 hours')
  < date_trunc('month', created_at at time zone 'UTC' + interval '14 hours');
create index postings_late on postings (tenant_id, mode, id)
  where may_be_late(occurred_at, created_at);
-- Those that leave something open: payouts, disputes, and what is owed to payers.
create function may_stay_open(type text, debit text, credit text) returns boolean
immutable parallel safe
return type in ('payout', 'other_business', 'difference', 'write_off', 'dispute')
  or 'payers' in (debit, credit);
create index postings_open on postings (tenant_id, mode, id)
  where may_stay_open(type, debit, credit);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'Postings are not changed: a correction is another posting.';
end $$;
create trigger postings_unchanged before update on postings
  for each row execute function refuse_change();
create trigger postings_kept before delete or truncate on postings
  for each statement execute function refuse_change();

-- What a connection's postings before `before_id` add up to, so that a balance adds the later ones
-- only. Made from postings by housekeeping, and again whenever these rows are deleted.
create table balance_snapshots (
  connection_id text collate "C" not null,
  before_id text collate "C" not null,
  type text not null,
  debit text not null,
  credit text not null,
  amount_kobo bigint not null,
  count bigint not null,
  primary key (connection_id, before_id, type, debit, credit)
);

create table snapshot_position (
  only_row boolean primary key default true check (only_row),
  before_id text collate "C" not null
);

-- What a business calls accounts in its own books.
create table account_codes (
  tenant_id text collate "C" not null references tenants,
  account text not null,
  code text not null,
  primary key (tenant_id, account)
);
