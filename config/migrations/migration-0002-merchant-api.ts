import { Migration } from '@mikro-orm/migrations';

/** The whole merchant API: people and their tokens, refunds, payment links, settlements, the ledger's indexes, the feed of events. */
export class Migration0002MerchantApi extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}

const credentials = [
  `alter table api_keys add column name text, add column allowed_origins text[]`,
  `alter table members add column name text`,
  'create index members_tenant on members (tenant_id, id)',
  `create table member_links (
    sha256 text collate "C" primary key,
    member_id text collate "C" not null references members,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    used_at timestamptz
  )`,
  'create index member_links_member on member_links (member_id)',
  'create index member_links_expiry on member_links (expires_at)',
  `create table token_families (
    id text collate "C" primary key,
    member_id text collate "C" not null references members,
    mode text not null check (mode in ('live', 'test')),
    created_at timestamptz not null,
    expires_at timestamptz not null,
    revoked_at timestamptz
  )`,
  'create index token_families_member on token_families (member_id)',
  'create index token_families_expiry on token_families (expires_at)',
  // An access token is used until it expires; a refresh token once, and what it was exchanged for is kept sealed for a repeated exchange.
  `create table user_tokens (
    sha256 text collate "C" primary key,
    family_id text collate "C" not null references token_families on delete cascade,
    kind text not null check (kind in ('access', 'refresh')),
    created_at timestamptz not null,
    expires_at timestamptz not null,
    used_at timestamptz,
    successor_sha256 text collate "C",
    exchanged_for text
  )`,
  'create index user_tokens_family on user_tokens (family_id)',
  'create index user_tokens_expiry on user_tokens (expires_at)',
  // Every credential that is good now, whatever its kind. Statements that do the work join on it, so that a revocation, a disabled member
  // or a changed role holds from the next statement on. Expiry is the reader's to check: it has the clock.
  `create view credentials as
    select sha256, tenant_id, mode, kind as role, id as subject_id, null as member_id, allowed_origins, null::timestamptz as expires_at
    from api_keys where revoked_at is null
    union all
    select t.sha256, m.tenant_id, f.mode, m.role, f.id, m.id, null, t.expires_at
    from user_tokens t join token_families f on f.id = t.family_id join members m on m.id = f.member_id
    where t.kind = 'access' and f.revoked_at is null and m.disabled_at is null`,
  // An answer that shows a secret is kept sealed, and for a day only.
  'alter table idempotency_keys add column sealed boolean not null default false',
  'create index idempotency_keys_sealed on idempotency_keys (created_at) where sealed',
  `create table audit_entries (
    id text collate "C" primary key,
    tenant_id text collate "C" not null,
    mode text,
    at timestamptz not null,
    actor text not null,
    action text not null,
    subject_id text not null,
    detail text
  )`,
  'create index audit_entries_tenant on audit_entries (tenant_id, id)',
  'create index audit_entries_age on audit_entries using brin (at)',
];

// One index per shape of question: by nothing, and by status, provider and channel, without a customer and with one. Their few values are
// asked for one combination at a time, so that a pair that matches nothing is as quick as one that matches everything.
const ledger = [
  'create extension if not exists btree_gist',
  `create index charges_customer on charges (tenant_id, mode, lower(email), status, slot, coalesce(channel, ''), id)`,
  `create index charges_combination on charges (tenant_id, mode, status, slot, coalesce(channel, ''), id)`,
  // Days are days of payment, the order is the order of creation. These are the charges that were created before a moment and paid after it.
  `create index charges_underway on charges using gist (tenant_id, mode, tstzrange(created_at, occurred_at, '[]')) where occurred_at > created_at`,
  `alter table charges add column payment_link_id text collate "C", add column cancel_requested_at timestamptz`,
  `create index charges_cancel on charges (cancel_requested_at) where cancel_requested_at is not null and status in ('initiated', 'pending')`,
  `create unique index charges_open_link on charges (payment_link_id) where payment_link_id is not null and status in ('initiated', 'pending')`,
  // Merchant references need not be unique: the charge that is meant is the last of them here, however many there are.
  'drop index charges_merchant_reference',
  `create index charges_merchant_reference on charges (tenant_id, mode, merchant_reference,
    (status in ('succeeded', 'settled', 'refunded', 'disputed')), (created_by in ('secret', 'member')), id)
    where merchant_reference is not null`,
  'create index charges_settlement on charges (settlement_id, id) where settlement_id is not null',
];

const refunds = [
  `create table refunds (
    id text collate "C" primary key,
    tenant_id text collate "C" not null,
    mode text not null,
    charge_id text collate "C" not null references charges,
    amount_kobo bigint not null check (amount_kobo > 0),
    reason text not null,
    status text not null check (status in ('requested', 'approved', 'processing', 'completed', 'failed', 'rejected', 'cancelled')),
    origin text not null default 'merchant' check (origin in ('merchant', 'provider', 'system')),
    requested_by text not null,
    decided_by text,
    decided_at timestamptz,
    rejection_reason text,
    attention text,
    failure_message text,
    provider_reference text,
    completed_at timestamptz,
    tries integer not null default 0,
    enqueues integer not null default 0,
    enqueued_at timestamptz,
    due_at timestamptz,
    created_at timestamptz not null
  )`,
  'create index refunds_tenant on refunds (tenant_id, mode, id)',
  'create index refunds_status on refunds (tenant_id, mode, status, id)',
  'create index refunds_charge on refunds (charge_id)',
  'create index refunds_due on refunds (due_at) where due_at is not null',
];

const links = [
  `create table payment_links (
    id text collate "C" primary key,
    tenant_id text collate "C" not null,
    mode text not null,
    amount_kobo bigint not null check (amount_kobo > 0),
    description text not null,
    customer_name text,
    customer_phone text,
    provider_wanted text not null,
    status text not null check (status in ('active', 'paid', 'expired', 'disabled')),
    transaction_id text collate "C",
    created_by text not null,
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  'create index payment_links_tenant on payment_links (tenant_id, mode, id)',
  'create index payment_links_status on payment_links (tenant_id, mode, status, id)',
  `create index payment_links_expiry on payment_links (expires_at) where status = 'active'`,
  `create index payment_links_overdue on payment_links (tenant_id, mode, expires_at) where status = 'active'`,
];

const settlements = [
  `create table settlements (
    id text collate "C" primary key,
    tenant_id text collate "C" not null,
    mode text not null,
    connection_id text collate "C" not null,
    slot text not null,
    provider_settlement_id text,
    status text not null check (status in ('expected', 'landed', 'short', 'failed')),
    expected_date date,
    expected_amount_kobo bigint not null,
    landed_amount_kobo bigint,
    fee_kobo bigint not null default 0,
    transaction_count integer not null default 0,
    bank_name text,
    bank_account_last4 text,
    landed_at timestamptz,
    created_at timestamptz not null
  )`,
  'create index settlements_tenant on settlements (tenant_id, mode, id)',
  'create unique index settlements_provider on settlements (connection_id, provider_settlement_id)',
];

const events = [
  // Added to the numbers of transactions, so that they go on where they were when a database is restored into a new cluster.
  'create table event_feed (only_row boolean primary key default true check (only_row), shift bigint not null)',
  'insert into event_feed (shift) values (0)',
  `create function event_xact() returns bigint stable
    return (select pg_current_xact_id()::text::bigint + shift from event_feed)`,
  // The transaction that wrote an event: the feed is read in this order, and only below every transaction still running.
  'alter table events add column xact bigint not null default event_xact()',
  'create index events_feed on events (tenant_id, mode, xact, id)',
];

const limits = [
  // Counted in blocks, and of no value after a crash: not worth the log.
  `create unlogged table rate_limits (key varchar(255) primary key, points integer not null default 0, expire bigint)`,
];

const statements = [
  ...credentials,
  ...ledger,
  ...refunds,
  ...links,
  ...settlements,
  ...events,
  ...limits,
];
