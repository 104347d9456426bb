import { Migration } from '@mikro-orm/migrations';

/** Money that goes back, or may have to: refunds as providers know them, disputes, what a person decides, what is asked of a connection. */
export class Migration0003MoneyBack extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}

const refunds = [
  // The payment the money comes from; null while nobody has begun to send it.
  'alter table refunds add column capture_id text collate "C" references captures',
  'alter table refunds add column connection_id text collate "C"',
  'alter table refunds add column provider_refund_id text',
  // When it was first asked of the provider, and when the provider first said that it has it.
  'alter table refunds add column sent_at timestamptz',
  'alter table refunds add column accepted_at timestamptz',
  'create unique index refunds_provider on refunds (connection_id, provider_refund_id) where provider_refund_id is not null',
  `create index refunds_attention on refunds (id) where attention is not null and status in ('approved', 'processing')`,
  'create index refunds_capture on refunds (capture_id) where capture_id is not null',
];

const disputes = [
  `create table disputes (
    id text collate "C" primary key,
    tenant_id text collate "C" not null,
    mode text not null,
    charge_id text collate "C" not null references charges,
    capture_id text collate "C" not null references captures,
    connection_id text collate "C" not null,
    provider_dispute_id text,
    amount_kobo bigint,
    status text not null check (status in ('open', 'won', 'lost')),
    entered_by text not null check (entered_by in ('provider', 'operator')),
    -- When the provider was last asked about it.
    asked_at timestamptz,
    opened_at timestamptz not null,
    decided_at timestamptz
  )`,
  'create unique index disputes_provider on disputes (connection_id, provider_dispute_id) where provider_dispute_id is not null',
  'create index disputes_capture on disputes (capture_id)',
  'create index disputes_charge on disputes (charge_id)',
  `create index disputes_open on disputes (connection_id, id) where status = 'open'`,
];

const reviews = [
  `create table reviews (
    id text collate "C" primary key,
    tenant_id text collate "C" not null,
    mode text not null,
    charge_id text collate "C" not null references charges,
    capture_id text collate "C" references captures,
    reason text not null,
    detail text not null,
    amount_kobo bigint,
    status text not null default 'open' check (status in ('open', 'accepted', 'returned', 'resolved')),
    decided_by text,
    decided_at timestamptz,
    created_at timestamptz not null
  )`,
  `create index reviews_open on reviews (tenant_id, mode, (status = 'open'), id)`,
  'create index reviews_reason on reviews (tenant_id, mode, reason, id)',
  'create index reviews_tenant on reviews (tenant_id, mode, id)',
  'create index reviews_charge on reviews (charge_id)',
  `create unique index reviews_once on reviews (charge_id, reason, coalesce(capture_id, '')) where status = 'open'`,
];

const tasks = [
  // What is asked of a connection again and again, whatever its charges do.
  `create table connection_tasks (
    id text collate "C" primary key,
    connection_id text collate "C" not null references connections on delete cascade,
    task text not null check (task in ('disputes')),
    tries integer not null default 0,
    enqueues integer not null default 0,
    enqueued_at timestamptz,
    due_at timestamptz,
    done_at timestamptz,
    unique (connection_id, task)
  )`,
  'create index connection_tasks_due on connection_tasks (due_at) where due_at is not null',
  `alter table notifications add column about text not null default 'payment' check (about in ('payment', 'refund', 'dispute', 'other'))`,
  `alter table notifications add column payment_ids text[] not null default '{}'`,
];

const statements = [...refunds, ...disputes, ...reviews, ...tasks];
