import { expect } from 'chai';
import pg from 'pg';
import { newDatabase } from '../support/postgres.ts';
import { references } from '../support/tenant-keys.ts';

/** Columns that refer to a row without a foreign key, by the reason for it. */
const withoutForeignKey: Record<string, readonly string[]> = {
  'Many rows that are written at one moment refer to the same row, and each would lock it.': [
    ...['attempts.connection_id', 'captures.connection_id', 'charges.connection_id'],
    ...['listed_refunds.connection_id', 'notifications.connection_id', 'postings.connection_id'],
    'balance_snapshots.connection_id',
    ...['planned_day_changes.connection_id', 'planned_days.connection_id'],
    ...['captures.settlement_id', 'charges.settlement_id'],
    ...['settlement_lines.connection_id', 'settlement_lines.settlement_id'],
    ...['deliveries.endpoint_id', 'deliveries.event_id'],
    ...['delivery_tries.delivery_id', 'delivery_tries.endpoint_id'],
    ...['evidence.charge_id', 'timeline_entries.charge_id', 'timeline_entries.attempt_id'],
  ],
  'A settlement would wait for the row’s charge while it holds captures that the charge waits for.':
    [
      ...['discrepancies.charge_id', 'discrepancies.line_id'],
      ...['settlement_deductions.dispute_id', 'settlement_deductions.refund_id'],
      ...['settlement_lines.capture_id', 'settlement_lines.charge_id'],
    ],
  'It is what a provider names, which may be none of ours.': ['listed_refunds.refund_id'],
  'It refers to rows of several tables.': [
    ...['audit_entries.subject_id', 'events.subject_id', 'mails.subject_id', 'postings.source'],
  ],
  'One statement or task writes both rows.': [
    ...['charges.capture_id', 'refund_listings.connection_id'],
  ],
};

describe('References between rows', () => {
  let sql: pg.Client;
  before(async () => {
    sql = new pg.Client(await newDatabase());
    await sql.connect();
    await sql.query(ROWS);
  });
  after(() => sql.end());

  const otherMode = [
    ['charges', 'payment_link_id', 'payment_links'],
    ['payment_links', 'transaction_id', 'charges'],
    ['refunds', 'charge_id', 'charges'],
    ['refunds', 'connection_id', 'connections'],
    ['disputes', 'charge_id', 'charges'],
    ['disputes', 'connection_id', 'connections'],
    ['dispute_responses', 'charge_id', 'charges'],
    ['dispute_responses', 'connection_id', 'connections'],
    ['dispute_responses', 'dispute_id', 'disputes'],
    ['reviews', 'charge_id', 'charges'],
    ['settlements', 'connection_id', 'connections'],
    ['discrepancies', 'connection_id', 'connections'],
    ['discrepancies', 'settlement_id', 'settlements'],
  ] as const;
  for (const [table, column, referred] of otherMode)
    for (const difference of ['mode', 'tenant'])
      it(`from ${table} to ${referred} lead to no row of another ${difference}`, async () => {
        const key = `${table}_tenant_id_mode_${column}_fkey`;
        const change = `update ${table} set ${column} = $1 where id = 'own'`;
        expect(await refusalOf(sql, change, difference)).to.equal(key);
        await sql.query(change, ['own']);
      });

  const otherCharge = [
    ['captures', 'attempt_id', 'attempts'],
    ['refunds', 'capture_id', 'captures'],
    ['disputes', 'capture_id', 'captures'],
    ['reviews', 'capture_id', 'captures'],
  ] as const;
  for (const [table, column, referred] of otherCharge)
    it(`from ${table} to ${referred} lead to no row of another charge`, async () => {
      const key = `${table}_charge_id_${column}_fkey`;
      const change = `update ${table} set ${column} = $1 where id = 'own'`;
      expect(await refusalOf(sql, change, 'mode')).to.equal(key);
      await sql.query(change, ['own']);
    });

  it('are foreign keys, but where one would have rows wait for each other', async () => {
    const { rows: columns } = await sql.query<{ name: string }>(
      `select concat(relname, '.', attname) as name
       from pg_class c join pg_attribute a on a.attrelid = c.oid
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
         and not c.relispartition and (a.attname = any($1) or a.attname = 'transaction_id')
         and not exists (select from pg_constraint k
           where k.conrelid = c.oid and k.contype = 'f' and a.attnum = any(k.conkey))`,
      [references],
    );
    expect(columns.map(({ name }) => name)).to.have.members(
      Object.values(withoutForeignKey).flat(),
    );
  });

  it('of one table with a tenant and a mode to another name both', async () => {
    const { rows: half } = await sql.query(
      `select conname from pg_constraint k
       where contype = 'f' and (select count(*) from pg_attribute
         where attrelid in (conrelid, confrelid) and attname in ('tenant_id', 'mode')) = 4
         and pg_get_constraintdef(oid) !~ 'tenant_id, mode.*tenant_id, mode'`,
    );
    expect(half).to.deep.equal([]);
  });
});

function refusalOf(sql: pg.Client, text: string, value: string): Promise<unknown> {
  return sql.query(text, [value]).then(
    () => 'none',
    ({ constraint }) => constraint,
  );
}

/** A row of each table with the id `own`, and one like it of another mode and of another tenant. */
const ROWS = `
  create temporary table owner (id, tenant_id, mode, number) as
    values ('own', 'ten_1', 'test', 1), ('mode', 'ten_1', 'live', 2), ('tenant', 'ten_2', 'test', 3);
  insert into tenants (id, name, created_at)
    select distinct tenant_id, 'Store', now() from owner;
  insert into connections (id, tenant_id, mode, slot, adapter, credentials, position, created_at)
    select id, tenant_id, mode, 'provider_a', 'paystack', '', 0, now() from owner;
  insert into payment_links (id, tenant_id, mode, amount_kobo, description, provider_wanted, status,
      created_by, created_at, expires_at)
    select id, tenant_id, mode, 1, '', 'auto', 'active', '', now(), now() from owner;
  insert into charges (id, tenant_id, mode, number, status, amount_kobo, currency, email, metadata,
      provider_wanted, slot, connection_id, created_by, occurred_at, created_at, expires_at)
    select id, tenant_id, mode, number, 'settled', 1, 'NGN', '', '{}',
      'auto', 'provider_a', id, 'secret', now(), now(), now() from owner;
  insert into attempts (id, charge_id, connection_id, slot, reference, status, created_at)
    select id, id, id, 'provider_a', id, 'captured', now() from owner;
  insert into captures (id, charge_id, attempt_id, connection_id, provider_payment_id, status,
      amount_kobo, currency, channel, captured_at, recorded_at)
    select id, id, id, id, '', 'applied', 1, 'NGN', 'card', now(), now() from owner;
  insert into refunds (id, tenant_id, mode, charge_id, amount_kobo, reason, status, requested_by,
      created_at)
    select id, tenant_id, mode, id, 1, '', 'requested', '', now() from owner;
  insert into disputes (id, tenant_id, mode, charge_id, capture_id, connection_id, amount_kobo, status,
      entered_by, opened_at)
    select id, tenant_id, mode, id, id, id, 1, 'open', 'operator', now() from owner;
  insert into dispute_responses (id, tenant_id, mode, dispute_id, charge_id, connection_id, kind,
      status, requested_by, created_at)
    select id, tenant_id, mode, id, id, id, 'evidence', 'refused', '', now() from owner;
  insert into reviews (id, tenant_id, mode, charge_id, reason, detail, created_at)
    select id, tenant_id, mode, id, id, '', now() from owner;
  insert into settlements (id, tenant_id, mode, connection_id, slot, status, step,
      expected_amount_kobo, created_at)
    select id, tenant_id, mode, id, 'provider_a', 'landed', 'reconciled', 1, now() from owner;
  insert into discrepancies (id, tenant_id, mode, connection_id, slot, kind, subject, amount_kobo,
      difference_kobo, detail, status, day, opened_at)
    select id, tenant_id, mode, id, 'provider_a', 'missing', id, 1, 1, '', 'open', now(), now()
    from owner`;
