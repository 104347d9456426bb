import { Migration } from '@mikro-orm/migrations';

/** Payouts with the payments they hold, what they took out for refunds and chargebacks, and every difference from what was expected. */
export class Migration0006Settlements extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}

const captures = [
  // The day its provider pays it out, null until that was worked out; the payout that holds it; when the audit saw it at the provider.
  'alter table captures add column settles_on date, add column settlement_id text collate "C", add column listed_at timestamptz',
  // When its amount or fee changed after it was recorded; null once its settlement took note.
  'alter table captures add column changed_at timestamptz',
  'create index captures_changed on captures (connection_id) where changed_at is not null',
  'create index captures_unplanned on captures (connection_id, id) where settles_on is null',
  'create index captures_unsettled on captures (connection_id, settles_on, id) where settlement_id is null',
  'create index captures_unlisted on captures (connection_id, captured_at) where listed_at is null',
];

const owed = [
  // How much of it payouts were made smaller by so far.
  'alter table refunds add column deducted_kobo bigint not null default 0',
  'alter table disputes add column deducted_kobo bigint not null default 0',
  `create index refunds_owed on refunds (connection_id, id) where status = 'completed' and deducted_kobo < amount_kobo`,
  `create index disputes_owed on disputes (connection_id, id) where status = 'lost' and (amount_kobo is null or deducted_kobo < amount_kobo)`,
];

const settlements = [
  `alter table settlements
    -- True: its provider has not paid it out, and its amounts are what we think is coming.
    add column is_forecast boolean not null default false,
    -- What the provider states of it.
    add column stated_state text check (stated_state in ('pending', 'landed', 'failed', 'unknown')),
    add column stated_amount_kobo bigint,
    add column stated_deductions_kobo bigint,
    -- How often its lines were begun to be read; where the next page begins; when the last one was read; when all of it was last weighed.
    add column reading integer not null default 0,
    add column lines_cursor text,
    add column lines_read_at timestamptz,
    add column weighed_at timestamptz,
    -- In our books. expected = gross - fee - refunds - chargebacks + foreign.
    add column gross_kobo bigint not null default 0,
    add column refunds_kobo bigint not null default 0,
    add column chargebacks_kobo bigint not null default 0,
    add column foreign_kobo bigint not null default 0,
    add column foreign_count integer not null default 0`,
  'create unique index settlements_forecast on settlements (connection_id, expected_date) where is_forecast',
  'create index settlements_date on settlements (connection_id, expected_date)',
  `create index settlements_unweighed on settlements (connection_id, id) where weighed_at is null and not is_forecast`,
  `create table settlement_lines (
    id text collate "C" primary key,
    settlement_id text collate "C" not null references settlements,
    connection_id text collate "C" not null,
    provider_payment_id text not null,
    reference text not null,
    amount_kobo bigint not null,
    -- Null where the line does not say.
    fee_kobo bigint,
    -- The reading of the settlement's lines that held it last.
    reading integer not null,
    is_foreign boolean not null,
    -- True while it may still change what it means: no payment of ours is known for it, or that payment is held, or another payout's.
    is_open boolean not null,
    charge_id text collate "C",
    capture_id text collate "C",
    unique (settlement_id, provider_payment_id)
  )`,
  'create index settlement_lines_open on settlement_lines (connection_id, id) where is_open',
  // What a payout took back, and for which refund or chargeback of ours.
  `create table settlement_deductions (
    settlement_id text collate "C" not null references settlements,
    refund_id text collate "C",
    dispute_id text collate "C",
    amount_kobo bigint not null check (amount_kobo > 0),
    check (num_nonnulls(refund_id, dispute_id) = 1)
  )`,
  'create index settlement_deductions_settlement on settlement_deductions (settlement_id)',
];

const discrepancies = [
  `create table discrepancies (
    id text collate "C" primary key,
    tenant_id text collate "C" not null,
    mode text not null,
    connection_id text collate "C" not null,
    slot text not null,
    kind text not null,
    -- What it is about: one of a kind is open about a thing at a time.
    subject text not null,
    settlement_id text collate "C",
    line_id text collate "C",
    charge_id text collate "C",
    reference text,
    amount_kobo bigint not null,
    -- Its part of expected - landed: positive where less came than was expected.
    difference_kobo bigint not null,
    detail text not null,
    status text not null check (status in ('open', 'resolved', 'closed')),
    -- The day in Lagos it belongs to.
    day date not null,
    closed_by text,
    close_reason text,
    opened_at timestamptz not null,
    ended_at timestamptz
  )`,
  `create unique index discrepancies_once on discrepancies (connection_id, kind, subject) where status = 'open'`,
  `create index discrepancies_closed on discrepancies (connection_id, kind, subject) where status = 'closed'`,
  'create index discrepancies_settlement on discrepancies (settlement_id, status, kind, id) where settlement_id is not null',
  // Whatever they are listed by: newest first, or of some days.
  'create index discrepancies_tenant on discrepancies (tenant_id, mode, id)',
  'create index discrepancies_combination on discrepancies (tenant_id, mode, status, kind, slot, id)',
  'create index discrepancies_days on discrepancies (tenant_id, mode, status, kind, slot, day, id)',
  'create index discrepancies_connection on discrepancies (connection_id, status, day)',
];

const tasks = [
  'alter table connection_tasks drop constraint connection_tasks_task_check',
  `alter table connection_tasks add constraint connection_tasks_task_check check (task in ('disputes', 'settlements', 'audit'))`,
  // How far a round has come that does not fit into one claim.
  'alter table connection_tasks add column progress json',
  'alter table notifications drop constraint notifications_about_check',
  `alter table notifications add constraint notifications_about_check
     check (about in ('payment', 'refund', 'dispute', 'settlement', 'other'))`,
];

const statements = [...captures, ...owed, ...settlements, ...discrepancies, ...tasks];
