import { Client } from 'pg';
import { DAY_MS } from '../../domain/shared/units.ts';

export interface LedgerSize {
  tenantId: string;
  rows: number;
  /** The newest charge's time; the oldest is a year older. */
  end: Date;
}

const YEAR_MS = 365 * DAY_MS;

/** The e-mail address of one charge in twenty: an agent who pays for others. */
export const HEAVY_EMAIL = 'agent@shop.example';

/** The e-mail address of about ten charges, spread over the year. */
export function emailOf(customer: number): string {
  return `customer-${customer}@mail.example`;
}

export function customersOf({ rows }: Pick<LedgerSize, 'rows'>): number {
  return Math.ceil(rows / 10);
}

/**
 * Writes a year of charges in test mode as a busy merchant has them: nine in ten settled, few
 * refunded, very few disputed, none refused yet initiated; mostly one provider and one channel;
 * paid some seconds to ten hours after they were created. Every table the planner looks at is
 * analysed. Indexes are made anew behind the rows, which is many times quicker than keeping them
 * while rows come.
 */
export async function fillLedger(
  databaseUrl: string,
  { tenantId, rows, end }: LedgerSize,
): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`set maintenance_work_mem = '512MB'`);
    await client.query(ID_AT);
    const indexes = await client.query<{ name: string; definition: string }>(
      `select indexrelid::regclass as name, pg_get_indexdef(indexrelid) as definition
       from pg_index where indrelid = 'charges'::regclass and not indisunique`,
    );
    for (const { name } of indexes.rows) await client.query(`drop index ${name}`);
    const startMs = end.getTime() - YEAR_MS;
    await client.query(INSERT, [
      tenantId,
      rows,
      startMs,
      YEAR_MS / rows,
      customersOf({ rows }),
      HEAVY_EMAIL,
    ]);
    for (const { definition } of indexes.rows) await client.query(definition);
    await client.query('vacuum (analyze) charges');
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}

/**
 * Ten characters of Crockford's base32 hold the time of an identifier; hexadecimal ones do for the
 * random rest.
 */
const ID_AT = `
create function pg_temp.id_at(ms bigint, n bigint) returns text language sql immutable as $$
  select 'txn_' || ${Array.from({ length: 10 }, (_, digit) => `substr(digits, (ms >> ${45 - 5 * digit} & 31)::int + 1, 1)`).join(' || ')}
    || left(md5(n::text), 16)
  from (values ('0123456789abcdefghjkmnpqrstvwxyz')) base32 (digits)
$$`;

const INSERT = `
insert into charges (id, tenant_id, mode, number, status, merchant_reference, amount_kobo, fee_kobo,
  currency, email, name, phone, description, metadata, provider_wanted, slot, connection_id,
  created_by, channel, provider_reference, occurred_at, settled_at, created_at, expires_at)
select pg_temp.id_at(ms, n), $1, 'test', n, status, 'ORDER-' || n, 150000 + n % 5000 * 100,
  case when is_paid then 2250 else 0 end, 'NGN',
  case when n % 20 = 7 then $6 else 'customer-' || n % $5 || '@mail.example' end, 'Adaeze Okafor',
  '+2348031234567', 'Order ' || n || ', delivery to Surulere',
  json_build_object('order_id', 'ord_' || n), 'auto',
  case when by_slot < 0.8 then 'provider_a' when by_slot < 0.9999 then 'provider_b'
  else 'provider_c' end, 'con_of_nobody', 'secret',
  case when not is_paid then null when by_channel < 0.7 then 'card' when by_channel < 0.95
  then 'bank_transfer'
    when by_channel < 0.9995 then 'ussd' else 'qr' end,
  case when is_paid then 'T' || n end,
  created_at + case when is_paid then make_interval(secs => 5 * power(7200, by_delay)) else '0' end,
  case when status = 'settled' then created_at + interval '1 day' end, created_at,
    created_at + interval '1 day'
from (
  select n, ms, to_timestamp(ms / 1000.0) as created_at, status, status <> 'failed' as is_paid,
    by_slot, by_channel, by_delay
  from (
    select n, $3::bigint + (n * $4::float8)::bigint as ms, random() as by_slot,
      random() as by_channel, random() as by_delay,
      case when by_status < 0.9 then 'settled' when by_status < 0.93 then 'succeeded'
      when by_status < 0.99 then 'failed'
        when by_status < 0.9995 then 'refunded' else 'disputed' end as status
    from (select n::bigint, random() as by_status from generate_series(1, $2::bigint) n) numbered
  ) drawn
) charged`;
