-- Settlements with the payments they hold, the refunds and chargebacks they deducted, and every
-- difference from what was expected.

create table settlements (
  id text collate "C" primary key,
  tenant_id text collate "C" not null,
  mode text not null,
  connection_id text collate "C" not null,
  slot text not null,
  provider_settlement_id text,
  status text not null check (status in ('expected', 'landed', 'short', 'failed')),
  step text not null check (
    step in ('forecast', 'pending', 'read_lines', 'unreadable', 'unclear', 'compute_totals',
      'reconciled')),
  expected_date date,
  expected_amount_kobo bigint not null,
  landed_amount_kobo bigint,
  stated_state text check (stated_state in ('pending', 'landed', 'failed', 'unknown', 'unclear')),
  stated_amount_kobo bigint,
  stated_deductions_kobo bigint,
  gross_kobo bigint not null default 0,
  fee_kobo bigint not null default 0,
  refunds_kobo bigint not null default 0,
  chargebacks_kobo bigint not null default 0,
  foreign_kobo bigint not null default 0,
  foreign_count integer not null default 0,
  transaction_count integer not null default 0,
  bank_name text,
  bank_account_last4 text,
  statement_version integer not null default 0,
  lines_cursor text,
  unreadable_reason text,
  failed_reads integer not null default 0,
  read_again_at timestamptz,
  totals_computed_at timestamptz,
  landed_at timestamptz,
  created_at timestamptz not null,
  constraint settlements_provider unique (connection_id, provider_settlement_id),
  constraint settlements_tenant unique (tenant_id, mode, id),
  foreign key (tenant_id, mode, connection_id) references connections (tenant_id, mode, id)
);
create unique index settlements_forecast on settlements (connection_id, expected_date)
  where step = 'forecast';
create index settlements_expected on settlements (tenant_id, mode, expected_date)
  where status = 'expected';
create index settlements_date on settlements (connection_id, expected_date);
create index settlements_due on settlements (connection_id, step, id)
  where step in ('read_lines', 'unreadable', 'unclear', 'compute_totals');
create index settlements_unreadable on settlements (connection_id, id)
  where unreadable_reason is not null;

-- No foreign key to settlements: each line would lock its settlement's row.
create table settlement_lines (
  id text collate "C" primary key,
  settlement_id text collate "C" not null,
  connection_id text collate "C" not null,
  provider_payment_id text not null,
  reference text not null,
  amount_kobo bigint not null,
  fee_kobo bigint,
  unclear text,
  statement_version integer not null,
  is_foreign boolean not null,
  needs_rematch boolean not null,
  charge_id text collate "C",
  capture_id text collate "C",
  unique (settlement_id, provider_payment_id)
);
create index settlement_lines_rematch on settlement_lines (connection_id, id) where needs_rematch;
create index settlement_lines_unclear on settlement_lines (settlement_id, id)
  where unclear is not null;

create table settlement_deductions (
  settlement_id text collate "C" not null references settlements,
  refund_id text collate "C",
  dispute_id text collate "C",
  amount_kobo bigint not null check (amount_kobo > 0),
  check (num_nonnulls(refund_id, dispute_id) = 1)
);
create index settlement_deductions_settlement on settlement_deductions (settlement_id);

create table discrepancies (
  id text collate "C" primary key,
  tenant_id text collate "C" not null,
  mode text not null,
  connection_id text collate "C" not null,
  slot text not null,
  kind text not null,
  subject text not null,
  settlement_id text collate "C",
  line_id text collate "C",
  charge_id text collate "C",
  reference text,
  amount_kobo bigint not null,
  difference_kobo bigint not null,
  detail text not null,
  status text not null check (status in ('open', 'resolved', 'closed')),
  day date not null,
  closed_by text,
  close_reason text,
  opened_at timestamptz not null,
  ended_at timestamptz,
  foreign key (tenant_id, mode, connection_id) references connections (tenant_id, mode, id),
  foreign key (tenant_id, mode, settlement_id) references settlements (tenant_id, mode, id)
);
create unique index discrepancies_once on discrepancies (connection_id, kind, subject)
  where status = 'open';
create index discrepancies_closed on discrepancies (connection_id, kind, subject)
  where status = 'closed';
create index discrepancies_books on discrepancies (id) where status = 'open' and kind = 'books';
create index discrepancies_settlement on discrepancies (settlement_id, status, kind, id)
  where settlement_id is not null;
-- For lists, newest first, and lists of certain days.
create index discrepancies_tenant on discrepancies (tenant_id, mode, id);
create index discrepancies_combination on discrepancies (tenant_id, mode, status, kind, slot, id);
create index discrepancies_days on discrepancies (tenant_id, mode, status, kind, slot, day, id);
create index discrepancies_connection on discrepancies (connection_id, status, day);
