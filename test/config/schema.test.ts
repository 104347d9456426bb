import { expect } from 'chai';
import { openDatabase } from '../../config/db.ts';
import { type Orm, openOrm } from '../../config/orm.ts';
import type { Database } from '../../domain/shared/sql.ts';
import { emptyDatabase, newDatabase } from '../support/postgres.ts';

/**
 * Foreign keys that carry the tenant and the mode, or the charge, so that no row leads to one of
 * another: the ORM refers to primary keys alone.
 */
const compositeKeys = [
  ['captures', 'charge_id, attempt_id', 'attempts(charge_id, id)'],
  ...['disputes', 'refunds', 'reviews'].map((table) => [
    ...[table, 'charge_id, capture_id', 'captures(charge_id, id)'],
  ]),
  ...[
    ['charges', 'payment_link_id', 'payment_links'],
    ['payment_links', 'transaction_id', 'charges'],
    ...['disputes', 'refunds', 'reviews'].map((table) => [table, 'charge_id', 'charges']),
    ...['discrepancies', 'disputes', 'refunds', 'settlements'].map((table) => [
      ...[table, 'connection_id', 'connections'],
    ]),
    ['discrepancies', 'settlement_id', 'settlements'],
  ].map(([table, column, referred]) => [
    ...[table, `tenant_id, mode, ${column}`, `${referred}(tenant_id, mode, id)`],
  ]),
] as [table: string, columns: string, referred: string][];

/** What migrations make and entities cannot say, each with the reason. */
const onlyInMigrations = [
  ...compositeKeys.map(
    ([table, columns, referred]) =>
      `constraint ${table} FOREIGN KEY (${columns}) REFERENCES ${referred}`,
  ),
  // The ORM knows no sequence that belongs to no column.
  'sequence sv_numbers',
  // Belongs to the rate limiter, which reads and writes it without the ORM; the ORM knows no unlogged
  // table either.
  'column rate_limits.expire bigint',
  'column rate_limits.key character varying(255) not null',
  'column rate_limits.points integer not null default 0',
  'constraint rate_limits PRIMARY KEY (key)',
  'CREATE UNIQUE INDEX rate_limits_pkey ON public.rate_limits USING btree (key)',
  // The ORM knows no partitions, and no functions that change them.
  'function create_partition',
  'function detach_partition',
  'function drop_partition',
  'function require_partition_name',
  'partitions of deliveries by RANGE (id)',
  'partitions of delivery_tries by RANGE (delivery_id)',
  'partitions of events by RANGE (id)',
  'partitions of evidence by RANGE (charge_id)',
  'partitions of request_log by RANGE (id)',
  'partitions of timeline_entries by RANGE (charge_id)',
];

/** What entities say and migrations leave out. */
const onlyInEntities = [
  // The ORM wants every entity to have a primary key. The rows of these tables have no identity: they
  // are only ever read together, by charge, delivery or settlement, and never through the ORM. A key
  // would cost every insert and serve no query.
  'constraint delivery_tries PRIMARY KEY (delivery_id, try)',
  'constraint evidence PRIMARY KEY (charge_id, sha256)',
  'constraint settlement_deductions PRIMARY KEY (settlement_id)',
  'CREATE UNIQUE INDEX delivery_tries_pkey ON public.delivery_tries USING btree (delivery_id, try)',
  'CREATE UNIQUE INDEX evidence_pkey ON public.evidence USING btree (charge_id, sha256)',
  'CREATE UNIQUE INDEX settlement_deductions_pkey ON public.settlement_deductions USING btree (settlement_id)',
];

/** Differences the schema generator reports that are none: the other test compares these too. */
const notDifferent = [
  ...compositeKeys.map(
    ([table, columns]) =>
      `alter table "${table}" drop constraint "${table}_${columns.replaceAll(', ', '_')}_fkey"`,
  ),
  // It compares texts, and PostgreSQL writes them its own way.
  'drop view if exists "credentials" cascade',
  'create view "credentials"',
  'drop function if exists "event_xact"()',
  'drop function if exists "feed_shift"()',
  'drop function if exists "create_partition"(text, text, text, text)',
  'drop function if exists "detach_partition"(text, text)',
  'drop function if exists "drop_partition"(text, text)',
  'drop function if exists "require_partition_name"(text, text)',
  // It takes an identity for a default.
  'alter table "timeline_entries" alter column "position" drop default',
];

describe('The entities and the migrations', () => {
  const open: Orm[] = [];
  afterEach(() => Promise.all(open.splice(0).map((orm) => orm.close(true))));

  async function openOrmOf(databaseUrl: string): Promise<{ orm: Orm; db: Database }> {
    const orm = await openOrm({ databaseUrl, poolSize: 2, statementTimeoutMs: null });
    open.push(orm);
    return { orm, db: await openDatabase(orm) };
  }

  it('make the same tables, columns, indexes, constraints and views', async () => {
    const migrated = await openOrmOf(await newDatabase());
    const created = await openOrmOf(await emptyDatabase());
    await created.db.query('create extension btree_gist');
    for (const name of ['event_xact', 'feed_shift'])
      await created.db.query(`create function ${name}() returns bigint return 1`);
    await created.orm.schema.create();
    const [ofMigrations, ofEntities] = await Promise.all([schemaOf(migrated), schemaOf(created)]);
    expect([...ofMigrations].filter((line) => !ofEntities.has(line))).to.have.members(
      onlyInMigrations,
    );
    expect([...ofEntities].filter((line) => !ofMigrations.has(line))).to.have.members(
      onlyInEntities,
    );
  });

  it('are the same to the schema generator of the ORM', async () => {
    const { orm } = await openOrmOf(await newDatabase());
    const statements = (await orm.schema.getUpdateSchemaSQL({ wrap: false })).split(/;\s+/);
    expect(
      statements.map((statement) => statement.split(' as ')[0]!).filter(Boolean),
    ).to.have.members(notDifferent);
  });
});

async function schemaOf({ db }: { db: Database }): Promise<Set<string>> {
  const rows = await db.query<{ line: string }>(DESCRIPTION);
  return new Set(rows.map(({ line }) => line));
}

/** Everything in the database that is ours, a line each. */
const DESCRIPTION = `
  with relations as (
    select oid, relname, relkind from pg_class
    where relnamespace = 'public'::regnamespace and relname !~ '^mikro_orm_'
      and not relispartition
  )
  select concat('column ', relname, '.', attname, ' ', format_type(atttypid, atttypmod),
    ' collate ' || nullif(collname, 'default'), case when attnotnull then ' not null' end,
    ' default ' || pg_get_expr(adbin, adrelid), ' identity ' || nullif(attidentity::text, '')) as line
  from relations
    join pg_attribute on attrelid = relations.oid and attnum > 0 and not attisdropped
    left join pg_attrdef on adrelid = relations.oid and adnum = attnum
    left join pg_collation on pg_collation.oid = attcollation
  where relkind in ('r', 'p', 'v')
  union all
  select replace(pg_get_indexdef(oid), ' ON ONLY ', ' ON ') from relations
  where relkind in ('i', 'I')
  union all
  select concat('partitions of ', relname, ' by ', pg_get_partkeydef(oid)) from relations
  where relkind = 'p'
  union all
  select concat('constraint ', conrelid::regclass, ' ', pg_get_constraintdef(pg_constraint.oid))
  from pg_constraint join relations on relations.oid = conrelid where contype <> 'n'
  union all
  select concat('view ', relname, pg_get_viewdef(oid)) from relations where relkind = 'v'
  union all
  select concat('sequence ', relname) from relations where relkind = 'S'
  union all
  select concat('function ', proname) from pg_proc
  where pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')`;
