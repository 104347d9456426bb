import type { Sql } from '../../domain/shared/sql.ts';
import { BASE32, TIME_OF_ID, withoutIndexes } from './filling.ts';

export type PlanSize = { charges: number; tenants: number; end: Date };

export const DAYS = 90;

/** The ids of the n-th tenant and of what belongs to it. */
export const idsOfTenant = (n: number) => ({
  tenantId: padded('ten', n),
  connectionId: padded('con', n),
  endpointId: padded('whe', n),
});

const padded = (prefix: string, n: number): string => `${prefix}_${String(n).padStart(26, '0')}`;

/** SQL: the same for the column `tenant`. */
export const ofTenant = (prefix: string) => `'${prefix}_' || lpad(tenant::text, 26, '0')`;
const idOf = (prefix: string) => `'${prefix}' || ending`;

/** Writes tenants, and charges spread over them evenly with all that the service writes of each. */
export async function fillForPlans(
  sql: Sql,
  { charges, tenants, end }: PlanSize,
  print: (line: string) => void,
): Promise<void> {
  await sql.query('set statement_timeout = 0');
  await sql.query('set session_replication_role = replica');
  await sql.query(MINUTES, [end]);
  await sql.query(MADE);
  await sql.query(CHARGES, [charges, tenants, end]);
  await withoutIndexes(sql, INDEXED, async () => {
    for (const text of [...TENANTS(tenants), ...Object.values(ROWS)]) {
      print(`  ${/insert into (\w+)/.exec(text)?.[1]} …`);
      await sql.query(text);
    }
  });
  await sql.query('drop table made');
  await sql.query('vacuum (analyze)');
}

const INDEXED = [
  ...['charges', 'attempts', 'captures', 'events', 'deliveries', 'delivery_tries', 'evidence'],
  ...['request_log', 'notifications', 'idempotency_keys'],
];

/** The time of ids, for each minute: making them row by row would take longer than all the rows. */
const MINUTES = `
create temporary table minutes as
select at, '_' || ${TIME_OF_ID} as id_time
from generate_series(0, ${DAYS} * 1440) minute,
  lateral (select date_trunc('minute', $1::timestamptz) - minute * interval '1 minute' as at) timed,
  lateral (select (extract(epoch from at) * 1000)::bigint as ms) counted, ${BASE32}`;

/** Charges of which rows are made; `ending`: of the ids of all that belongs to one. */
export const MADE = `
create unlogged table made (n bigint, tenant int, at timestamptz, ending text, id text, status text,
  age interval, payload text)`;

const CHARGES = `
insert into made
select n, n * 2654435761 % 4294967296 / 65536 % $2::int as tenant, at, ending,
  'txn' || ending as id,
  case when n % 4 = 3 then case when at > $3::timestamptz - interval '1 day' then 'pending'
    else 'failed' end
    when at > $3::timestamptz - interval '1 day' then 'succeeded'
    when n % 1000 = 0 then 'disputed' when n % 100 = 0 then 'refunded' else 'settled' end as status,
  $3::timestamptz - at, '{}'
from (
  select n, at, id_time || lpad(to_hex(n), 16, '0') as ending
  from generate_series(1, $1::bigint) n join minutes on minutes.at =
    date_trunc('minute', $3::timestamptz) - (($1::bigint - n) * ${DAYS * 1440} / $1::bigint)
      * interval '1 minute'
) timed`;

export const TENANTS = (count: number) => {
  const from = `from generate_series(0, ${count - 1}) tenant`;
  return [
    `insert into tenants (id, name, created_at) select ${ofTenant('ten')}, 'Store', now() ${from}`,
    `insert into members (id, tenant_id, email, role, created_at)
     select ${ofTenant('mem')}, ${ofTenant('ten')}, tenant || '@shop.example', 'owner', now() ${from}`,
    `insert into connections (id, tenant_id, mode, slot, adapter, credentials, position, created_at,
       tasks)
     select ${ofTenant('con')}, ${ofTenant('ten')}, 'live', 'provider_a', 'paystack', '', 0, now(),
       'disputes settlements audit payments' ${from}`,
    `insert into connection_tasks (id, connection_id, task, due_at)
     select 'ctk_' || task || tenant, ${ofTenant('con')}, task, now() + interval '1 hour'
     ${from}, unnest(array['disputes', 'settlements', 'audit', 'payments']) task`,
    `insert into webhook_endpoints (id, tenant_id, mode, url, event_types, secret, created_at)
     select ${ofTenant('whe')}, ${ofTenant('ten')}, 'live', 'https://shop.example',
       '{charge.succeeded}', '', now() ${from}`,
    `insert into api_keys (id, tenant_id, mode, kind, sha256, last4, created_at)
     select ${ofTenant('key')}, ${ofTenant('ten')}, 'live', 'secret', 'sha' || tenant, 'abcd', now()
     ${from}`,
    `insert into daily_figures (tenant_id, mode, day, slot, succeeded)
     select ${ofTenant('ten')}, 'live', current_date - day, 'provider_a', 1
     ${from}, generate_series(0, ${DAYS}) day`,
  ];
};

const isPaid = `status not in ('pending', 'failed')`;

export const ROWS = {
  charges: `insert into charges (id, tenant_id, mode, number, status, merchant_reference, amount_kobo,
     fee_kobo, currency, email, metadata, provider_wanted, slot, connection_id, created_by, channel,
     capture_id, occurred_at, settlement_id, created_at, expires_at, failed_at)
   select id, ${ofTenant('ten')}, 'live', 100000 + n, status, 'ORDER-' || n, 500000, 7500, 'NGN',
     'customer-' || n % 1000000 || '@mail.example', '{}', 'auto', 'provider_a', ${ofTenant('con')},
     'secret', case when ${isPaid} then 'card' end, case when ${isPaid} then ${idOf('cap')} end,
     at + case when ${isPaid} then case when n % 50 = 0 then interval '3 hours' else interval
       '3 minutes' end else interval '0' end,
     case when status = 'settled' then 'stl_' || at::date end, at, at + interval '1 day',
     case when status = 'failed' then at + interval '1 day' end from made`,
  attempts: `insert into attempts (id, charge_id, connection_id, slot, reference, status, sent_at,
     accepted_at, verified_at, tries, due_at, created_at)
   select ${idOf('att')}, id, ${ofTenant('con')}, 'provider_a', 'SV-' || n || '-a',
     case status when 'pending' then 'open' when 'failed' then 'expired' else 'captured' end,
     at, at, at + interval '3 minutes', 2,
     case when status = 'pending' then at + interval '1 day' end, at from made`,
  captures: `insert into captures (id, charge_id, attempt_id, connection_id, provider_payment_id, status,
     amount_kobo, fee_kobo, currency, channel, captured_at, recorded_at, settles_on, settlement_id,
     listed_at)
   select ${idOf('cap')}, id, ${idOf('att')}, ${ofTenant('con')}, 'T' || n, 'applied', 500000, 7500,
     'NGN', 'card', at, at, at::date + 1,
     case when status <> 'succeeded' then 'stl_' || at::date end,
     case when status <> 'succeeded' then at end from made where ${isPaid}`,
  planned_days: `insert into planned_days (connection_id, day, amount_kobo, fee_kobo, count)
   select connection_id, settles_on, sum(amount_kobo), sum(fee_kobo), count(*) from captures
   where settlement_id is null group by 1, 2`,
  timeline_entries: `insert into timeline_entries (id, charge_id, at, what) select ${idOf('tle')}, id, at, status
   from made`,
  evidence: `insert into evidence (charge_id, sha256, payload, created_at) select id, n, payload, at
   from made where ${isPaid}`,
  events: `insert into events (id, tenant_id, mode, type, subject_id, body, created_at)
   select ${idOf('evt')}, ${ofTenant('ten')}, 'live', 'charge.succeeded', id, payload, at
   from made where ${isPaid}`,
  deliveries: `insert into deliveries (id, event_id, endpoint_id, tenant_id, mode, status, tries, due_at,
     finished_at, created_at)
   select ${idOf('dlv')}, ${idOf('evt')}, ${ofTenant('whe')}, ${ofTenant('ten')}, 'live',
     case when age < interval '10 minutes' then 'pending' when n % 1000 = 0 then 'exhausted'
       else 'delivered' end, 1, case when age < interval '10 minutes' then at end,
     case when age >= interval '10 minutes' then at end, at from made where ${isPaid}`,
  delivery_tries: `insert into delivery_tries (delivery_id, endpoint_id, try, at, duration_ms, since_event_ms,
     status_code)
   select ${idOf('dlv')}, ${ofTenant('whe')}, 1, at, 80, 90, 200
   from made where ${isPaid} and age between interval '10 minutes' and interval '30 days'`,
  notifications: `insert into notifications (id, connection_id, body_sha256, body, event, payment_references,
     status, due_at, created_at, processed_at)
   select ${idOf('ntf')}, ${ofTenant('con')}, n, payload, 'charge.success',
     array['SV-' || n || '-a'],
     case when age < interval '5 minutes' then 'received' else 'processed' end,
     case when age < interval '5 minutes' then at end, at, at
   from made where ${isPaid} and age < interval '30 days'`,
  idempotency_keys: `insert into idempotency_keys (tenant_id, mode, scope, key, body_sha256, status, answer,
     created_at)
   select ${ofTenant('ten')}, 'live', 'secret POST /charges', n, n, 201, payload, at
   from made where age < interval '7 days'`,
  request_log: `insert into request_log (id, tenant_id, mode, at, method, path, status, duration_ms,
     credential_id)
   select ${idOf('req')}, ${ofTenant('ten')}, 'live', at, 'POST', '/v1/charges',
     case when n % 100 = 0 then 422 else 201 end, 8, ${ofTenant('key')}
   from made where age < interval '7 days'`,
  refunds: `insert into refunds (id, tenant_id, mode, charge_id, capture_id, connection_id, amount_kobo,
     reason, status, requested_by, deducted_kobo, created_at)
   select ${idOf('ref')}, ${ofTenant('ten')}, 'live', id, ${idOf('cap')}, ${ofTenant('con')}, 500000,
     'Returned', case when n % 10000 = 0 then 'requested' else 'completed' end, 'key',
     case when n % 10000 = 0 then 0 else 500000 end, at from made where n % 100 = 0`,
  listed_refunds: `insert into listed_refunds (connection_id, provider_payment_id, provider_refund_id, generation,
     listed_at, is_recorded)
   select ${ofTenant('con')}, 'T' || n, 'R' || n, 1, at, n % 10000 <> 0
   from made where n % 100 = 0`,
  disputes: `insert into disputes (id, tenant_id, mode, charge_id, capture_id, connection_id, status,
     amount_kobo, entered_by, opened_at)
   select ${idOf('dsp')}, ${ofTenant('ten')}, 'live', id, ${idOf('cap')}, ${ofTenant('con')},
     case when n % 50000 = 0 then 'open' else 'won' end, 500000, 'provider', at
   from made where n % 1000 = 0`,
  reviews: `insert into reviews (id, tenant_id, mode, charge_id, reason, detail, status, created_at)
   select ${idOf('rev')}, ${ofTenant('ten')}, 'live', id, 'extra_capture', 'Twice.',
     case when n % 50000 = 0 then 'open' else 'accepted' end, at from made where n % 1000 = 0`,
  discrepancies: `insert into discrepancies (id, tenant_id, mode, connection_id, slot, kind, subject, charge_id,
     amount_kobo, difference_kobo, detail, status, day, opened_at)
   select ${idOf('dsc')}, ${ofTenant('ten')}, 'live', ${ofTenant('con')}, 'provider_a',
     'fee_mismatch', n, id, 100, 100, 'It differs.',
     case when n % 50000 = 0 then 'open' else 'closed' end, at::date, at
   from made where n % 1000 = 0`,
  payment_links: `insert into payment_links (id, tenant_id, mode, amount_kobo, description, provider_wanted,
     status, created_by, created_at, expires_at)
   select ${idOf('lnk')}, ${ofTenant('ten')}, 'live', 500000, 'A link', 'auto',
     case when age < interval '1 day' then 'active' else 'expired' end, 'key', at,
     at + interval '1 day' from made where n % 100 = 0`,
  audit_entries: `insert into audit_entries (id, tenant_id, mode, at, actor, action, subject_id)
   select ${idOf('aud')}, ${ofTenant('ten')}, 'live', at, ${ofTenant('mem')}, 'refund.approved', id
   from made where n % 100 = 0`,
  settlements: `insert into settlements (id, tenant_id, mode, connection_id, slot, provider_settlement_id, status,
     step, expected_date, expected_amount_kobo, landed_amount_kobo, created_at)
   select 'stl_' || min(n), ${ofTenant('ten')}, 'live', ${ofTenant('con')}, 'provider_a', min(n),
     'landed', 'reconciled', at::date + 1, 1, 1, min(at) from made group by tenant, at::date`,
};
