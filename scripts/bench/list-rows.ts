import { DAY_MS } from '../../domain/shared/units.ts';
import { BASE32, TIME_OF_ID, withoutIndexes } from './filling.ts';
import { openSession } from './session.ts';

export type LedgerSize = { tenantId: string; rows: number; end: Date };

const YEAR_MS = 365 * DAY_MS;

/** The e-mail address of one charge in twenty: an agent who pays for others. */
export const HEAVY_EMAIL = 'agent@shop.example';

/** The e-mail address of about ten charges, spread over the year. */
export const emailOf = (customer: number): string => `customer-${customer}@mail.example`;

/** The phone number of one charge in twenty, and that of about ten charges. */
export const HEAVY_PHONE = '+2348030000000';
export const phoneOf = (customer: number): string => `+23481${String(customer).padStart(8, '0')}`;

/** The amount of one charge in nine; the others have one of five thousand amounts. */
export const HEAVY_AMOUNT_KOBO = 500_000;
export const amountKoboOf = (n: number): number => 150_000 + (n % 5_000) * 100;

/** The payment link of five charges: a link is paid once, by a payer who may try again. */
export const TRIED_LINK = `lnk_${'1'.padStart(26, '0')}`;

/** Pays out what was created on a day. */
export const settlementOf = (day: Date): string =>
  `stl_${day.toISOString().slice(0, 10).replaceAll('-', '').padStart(26, '0')}`;

export const customersOf = ({ rows }: Pick<LedgerSize, 'rows'>): number => Math.ceil(rows / 10);

/** Writes a year of charges as a busy merchant has them: mostly settled, mostly at one provider. */
export async function fillLedger(databaseUrl: string, { tenantId, rows, end }: LedgerSize) {
  await using session = await openSession({ connectionString: databaseUrl });
  const startMs = end.getTime() - YEAR_MS;
  const values = [tenantId, rows, startMs, YEAR_MS / rows, customersOf({ rows }), HEAVY_EMAIL];
  await session.query('set session_replication_role = replica'); // its rows may refer to none
  const others = [CAPTURES, REFUNDS, CUSTOMERS, SETTLEMENTS];
  await withoutIndexes(session, ['charges', 'captures', 'refunds', 'customer_words'], async () => {
    await session.query(INSERT, [...values, HEAVY_PHONE, HEAVY_AMOUNT_KOBO, TRIED_LINK]);
    for (const text of others) await session.query(text);
  });
  await session.query('vacuum (analyze) charges, captures, refunds, customer_words, settlements');
  await session.query('checkpoint');
}

const INSERT = `
insert into charges (id, tenant_id, mode, number, status, merchant_reference, amount_kobo, fee_kobo,
  currency, email, name, phone, description, metadata, provider_wanted, slot, connection_id,
  created_by, channel, provider_reference, occurred_at, settled_at, settlement_id, payment_link_id,
  created_at, expires_at)
select 'txn_' || ${TIME_OF_ID} || left(md5(n::text), 16), $1, 'test', n, status, 'ORDER-' || n,
  case when n % 9 = 3 then $8::bigint else 150000 + n % 5000 * 100 end, case when is_paid then 2250 else 0 end, 'NGN',
  case when n % 20 = 7 then $6 else 'customer-' || n % $5 || '@mail.example' end, 'Adaeze Okafor',
  case when n % 20 = 9 then $7 else '+23481' || lpad((n % $5)::text, 8, '0') end, 'Order ' || n || ', delivery to Surulere',
  json_build_object('order_id', 'ord_' || n), 'auto',
  case when by_slot < 0.8 then 'provider_a' when by_slot < 0.9999 then 'provider_b'
    else 'provider_c' end, 'con_of_nobody', 'secret',
  case when not is_paid then null when by_channel < 0.7 then 'card'
    when by_channel < 0.95 then 'bank_transfer' when by_channel < 0.9995 then 'ussd' else 'qr' end,
  case when is_paid then 'T' || n end,
  created_at + case when is_paid then make_interval(secs => 5 * power(7200, by_delay)) else '0' end,
  case when status = 'settled' then created_at + interval '1 day' end,
  case when status = 'settled'
    then 'stl_' || lpad(to_char(created_at at time zone 'UTC', 'YYYYMMDD'), 26, '0') end,
  case when n % ($2::bigint / 5) = 11 then $9 end, created_at,
  created_at + interval '1 day'
from (
  select n, ms, to_timestamp(ms / 1000.0) as created_at, status, status <> 'failed' as is_paid,
    by_slot, by_channel, by_delay
  from (
    select n, $3::bigint + (n * $4::float8)::bigint as ms, random() as by_slot,
      random() as by_channel, random() as by_delay,
      case when by_status < 0.9 then 'settled' when by_status < 0.93 then 'succeeded'
        when by_status < 0.99 then 'failed' when by_status < 0.9995 then 'refunded'
        else 'disputed' end as status
    from (select n::bigint, random() as by_status from generate_series(1, $2::bigint) n) numbered
  ) drawn
) charged, ${BASE32}`;

const CAPTURES = `
insert into captures (id, charge_id, attempt_id, connection_id, provider_payment_id, status,
  amount_kobo, currency, channel, captured_at, recorded_at)
select 'cap_' || substr(id, 5), id, 'att_' || substr(id, 5), 'con_of_' || slot, provider_reference,
  'applied', amount_kobo, currency, channel, occurred_at, occurred_at
from charges where provider_reference is not null`;

const REFUNDS = `
insert into refunds (id, tenant_id, mode, charge_id, capture_id, connection_id, amount_kobo,
  reason, status, requested_by, deducted_kobo, created_at)
select 'ref_' || substr(id, 5), tenant_id, mode, id, 'cap_' || substr(id, 5), 'con_of_' || slot,
  amount_kobo, 'Returned', case when status = 'refunded' then 'completed' else 'rejected' end,
  'key_of_nobody', 0, created_at
from charges where status = 'refunded' or number % 100 = 17 and status = 'settled'`;

const SETTLEMENTS = `
insert into settlements (id, tenant_id, mode, connection_id, slot, provider_settlement_id, status,
  step, expected_date, expected_amount_kobo, landed_amount_kobo, transaction_count, created_at)
select settlement_id, tenant_id, mode, 'con_of_provider_a', 'provider_a', settlement_id, 'landed',
  'reconciled', max(created_at)::date + 1, sum(amount_kobo), sum(amount_kobo), count(*),
  max(created_at)
from charges where settlement_id is not null group by tenant_id, mode, settlement_id`;

const CUSTOMERS = `
insert into customer_words (tenant_id, mode, email, word, customer_id)
select tenant_id, mode, email, unnest(array['adaeze', 'okafor', '']), 'cus_' || substr(min(id), 5)
from charges group by tenant_id, mode, email`;
