import { sha256Of } from '../../domain/shared/sha256.ts';
import type { Database } from '../../domain/shared/sql.ts';

/**
 * Makes the sandbox's own schema where it is missing or of another version. Two sandboxes starting
 * at once wait for each other.
 */
export async function prepareSchema(sql: Database): Promise<void> {
  const others = [...indexes, ...uniqueIndexes, paymentState];
  const version = sha256Of([...tables, ...others].join(';'));
  const [found] = await sql.query<{ version: string | null }>(
    `select obj_description(to_regnamespace('sandbox'), 'pg_namespace') as version`,
  );
  if (found?.version === version) return;
  await sql.transaction(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtext('sandbox schema'))`);
    await tx.query(inOneGo(tables));
    await tx.query(inOneGo([...others, `comment on schema sandbox is '${version}'`]));
  });
}

/** One trip to the database, also where statements are prepared, and can only be one at a time. */
function inOneGo(statements: readonly string[]): string {
  return `do $schema$ begin ${statements.join(';')}; end $schema$`;
}

/**
 * Numbering starts where the providers' own examples are, so that ids look real and are never
 * mistaken for each other.
 */
const id = (start: number) =>
  `id bigint generated always as identity (start with ${start}) primary key`;

const tables = [
  'create schema if not exists sandbox',

  `create table if not exists sandbox.account (
     ${id(412829)}, provider text not null, slot text not null, mode text not null,
     secret_key text not null, credentials jsonb not null, notification_url text,
     notifies_refunds boolean not null default false, created_at timestamptz not null,
     unique (provider, secret_key))`,

  // account_id has no foreign key in tables that grow with each payment: an insert would lock the
  // account. Nor has link_id: an attempt is made with its link locked.
  // outcome: open, failed or paid. paid is final: what happens to the money afterwards is in
  // refund, dispute and deduction. kind forgotten: counted in the statistics, shown by no call.
  // settlement_id 0: it is paid out by no settlement. line_number: from 1 on, by id. A page of a
  // settlement is a range of numbers, however many lines come before it. Paying changes no index:
  // half of each page is left for it.
  `create table if not exists sandbox.payment (
     ${id(4099260516)}, account_id bigint not null,
     kind text not null default 'payment', link_id bigint,
     reference text not null, access_code text not null,
     email text not null, customer_name text, customer_phone text,
     description text, callback_url text, metadata text, outcome text not null default 'open',
     requested_kobo bigint not null, paid_kobo bigint, fee_kobo bigint,
     channel text, gateway_response text, attempts integer not null default 0,
     payer_fee_kobo bigint not null default 0,
     next_refund text not null default 'completed', settlement_id bigint,
     line_number integer, line_kobo bigint, line_fee_kobo bigint, line_currency text,
     created_at timestamptz not null, paid_at timestamptz, link_expires_at timestamptz)
   with (fillfactor = 50)`,

  // due_at: when the refund takes its next step; null once it has ended.
  `create table if not exists sandbox.refund (
     ${id(3018284)}, account_id bigint not null,
     payment_id bigint not null references sandbox.payment,
     amount_kobo bigint not null, reference text, status text not null default 'pending',
     ending text not null, customer_note text, merchant_note text,
     created_at timestamptz not null, updated_at timestamptz not null, due_at timestamptz)`,

  `create table if not exists sandbox.dispute (
     ${id(358950)}, account_id bigint not null,
     payment_id bigint not null references sandbox.payment,
     amount_kobo bigint not null, resolution text,
     created_at timestamptz not null, updated_at timestamptz not null, resolved_at timestamptz)`,

  `create table if not exists sandbox.settlement (
     ${id(3090024)}, account_id bigint not null, status text not null default 'landed',
     line_count integer not null default 0, gross_kobo bigint not null default 0,
     fee_kobo bigint not null default 0, stamp_duty_kobo bigint not null default 0, levy_kobo bigint not null default 0,
     deductions_kobo bigint not null default 0, landed_kobo bigint not null default 0,
     created_at timestamptz not null, updated_at timestamptz not null, landed_at timestamptz)`,

  // Money the merchant owes back for a completed refund or a lost dispute, taken from a later
  // settlement.
  `create table if not exists sandbox.deduction (
     ${id(1)}, account_id bigint not null, payment_id bigint not null references sandbox.payment,
     amount_kobo bigint not null, refund_id bigint, dispute_id bigint, settlement_id bigint,
     created_at timestamptz not null)`,

  // due_at: when it is sent (again); null once delivered or given up.
  `create table if not exists sandbox.notification (
     ${id(1)}, account_id bigint not null, body text not null,
     tries integer not null default 0, due_at timestamptz, delivered_at timestamptz,
     created_at timestamptz not null)`,

  // One row per create or verify request: counted when asked for, because requests would wait for
  // each other at a counter row.
  `create table if not exists sandbox.arrival (
     ${id(1)}, provider text not null, account_id bigint not null, kind text not null,
     reference text, resent boolean not null default false, arrived_at timestamptz not null)`,

  // Where calls need a token besides the credentials. An expired one is refused with another
  // message than an unknown one.
  `create table if not exists sandbox.access_token (
     token text primary key, account_id bigint not null references sandbox.account,
     expires_at timestamptz not null)`,

  'create sequence if not exists sandbox.transaction_number',
];

const indexes = [
  'payment_reference on sandbox.payment (reference text_pattern_ops)',
  'payment_unsettled on sandbox.payment (account_id) where settlement_id is null',
  'payment_day on sandbox.payment (account_id, created_at)',
  'payment_line on sandbox.payment (settlement_id, line_number) where settlement_id is not null',
  'payment_attempts on sandbox.payment (link_id) where link_id is not null',
  'refund_payment on sandbox.refund (payment_id)',
  'refund_due on sandbox.refund (due_at) where due_at is not null',
  'deduction_payment on sandbox.deduction (payment_id)',
  'deduction_unsettled on sandbox.deduction (account_id) where settlement_id is null',
  'deduction_settlement on sandbox.deduction (settlement_id) where settlement_id is not null',
  'access_token_account on sandbox.access_token (account_id)',
  'notification_due on sandbox.notification (due_at) where due_at is not null',
].map((index) => `create index if not exists ${index}`);

const uniqueIndexes = [
  `payment_sole_reference on sandbox.payment (account_id, reference) where kind = 'payment'`,
  `payment_page on sandbox.payment (access_code) where kind <> 'attempt'`,
  'refund_reference on sandbox.refund (account_id, reference) where reference is not null',
  'dispute_open on sandbox.dispute (payment_id) where resolved_at is null',
].map((index) => `create unique index if not exists ${index}`);

// The joins are outer ones so that a query that needs no sums, a count for example, computes none.
const paymentState = `create or replace view sandbox.payment_state as
  select case when p.outcome <> 'paid' then p.outcome
              when d.kobo >= p.paid_kobo then 'reversed'
              when d.kobo + r.kobo >= p.paid_kobo then 'reversing'
              else 'paid' end as status,
         d.kobo as reversed_kobo, r.kobo as reversing_kobo, p.*, r.due_at as refund_due_at,
         r.completed_kobo + d.taken_kobo as refunded_kobo, d.taken_kobo
    from sandbox.payment p
    left join lateral (
      select coalesce(sum(amount_kobo), 0)::bigint as kobo,
             coalesce(sum(amount_kobo) filter (
               where refund_id is null and dispute_id is null), 0)::bigint as taken_kobo
        from sandbox.deduction where payment_id = p.id and p.outcome = 'paid') d on true
    left join lateral (
      select coalesce(sum(amount_kobo) filter (
               where status in ('pending', 'processing', 'needs-attention')), 0)::bigint as kobo,
             coalesce(sum(amount_kobo) filter (where status = 'completed'), 0)::bigint
               as completed_kobo,
             min(due_at) as due_at
        from sandbox.refund where payment_id = p.id and p.outcome = 'paid') r on true
   where p.kind <> 'forgotten'`;
