import { setTimeout as delay } from 'node:timers/promises';
import type { Sql } from '../../domain/shared/sql.ts';
import { type Bench, BenchFailure, type BenchRun, type Measured } from './bench.ts';
import { rounded } from './figures.ts';
import { payOut } from './pay-out.ts';
import { openPipelineStack, type PipelineStack } from './pipeline-stack.ts';

const CHARGES_PER_SECOND = 50;
const SECONDS = 40;
const WARM_UP_SECONDS = 5;
const SETTLED_WITHIN_MS = 120_000;
/** Sessions tell of the rows they changed once they have been idle for ten seconds. */
const STATISTICS_MS = 11_000;

export const bytes: Bench = {
  name: 'bytes',
  description: 'What a settled charge with one webhook writes: tables, indexes and log, each',
  options: {
    '--seconds <seconds>': `of ${CHARGES_PER_SECOND} customers each (${SECONDS})`,
    '--settings <settings>': 'of PostgreSQL, as name=value,…',
  },
  about: [
    'By how much tables and indexes grew, dead rows too, and the log since a checkpoint, for a charge.',
    'HOT: rows that were updated and whose indexes were left alone.',
  ],
  measure,
};

interface Relation {
  table: string;
  /** Null: the table itself. */
  index: string | null;
  bytes: number;
}

interface Rows {
  table: string;
  inserted: number;
  updated: number;
  hot: number;
  deleted: number;
}

async function measure(run: BenchRun): Promise<Measured> {
  const seconds = Number(run.options.seconds ?? SECONDS);
  const settings = run.options.settings?.split(',') ?? [];
  const stack = await openPipelineStack(run, {
    settings,
  });
  const { db } = stack.stack.context;
  await db.query('create extension if not exists pg_walinspect');
  run.print('Warming up …');
  await live(run, stack, WARM_UP_SECONDS);
  await db.query('checkpoint');
  const before = await readCounts(db);
  run.print(`${CHARGES_PER_SECOND * seconds} charges, paid and settled …`);
  const charges = await live(run, stack, seconds);
  return measuredFrom(db, charges, before, await readCounts(db));
}

/** Lets customers pay, then pays all of it out; returns how many charges there were. */
async function live(run: BenchRun, stack: PipelineStack, seconds: number) {
  const { charges } = await stack.serve(CHARGES_PER_SECOND, seconds);
  const missing = [...charges.values()].filter(({ webhookAtMs }) => !webhookAtMs).length;
  if (missing > 0) throw new BenchFailure(`${missing} webhooks did not come.`);
  await payOut(run, stack, SETTLED_WITHIN_MS);
  return charges.size;
}

type Counts = Awaited<ReturnType<typeof readCounts>>;

/** Partitions count as their parent. */
async function readCounts(db: Sql) {
  await delay(STATISTICS_MS);
  const [log] = await db.query<{ lsn: string; records: number; images: number }>(
    `select pg_current_wal_insert_lsn()::text as lsn, wal_records as records, wal_fpi as images
     from pg_stat_wal`,
  );
  const relations = await db.query<Relation>(
    `select coalesce(of_table.inhparent, t.oid)::regclass::text as table,
       case c.relkind when 'i' then coalesce(of_index.inhparent, c.oid)::regclass::text end as index,
       sum(case c.relkind when 'i' then pg_relation_size(c.oid)
         else pg_table_size(c.oid) end)::bigint as bytes
     from pg_class c
       left join pg_index i on i.indexrelid = c.oid
       join pg_class t on t.oid = coalesce(i.indrelid, c.oid)
       left join pg_inherits of_table on of_table.inhrelid = t.oid
       left join pg_inherits of_index on of_index.inhrelid = c.oid and c.relkind = 'i'
     where c.relkind in ('r', 'i') and t.relnamespace = 'public'::regnamespace
     group by 1, 2`,
  );
  const rows = await db.query<Rows>(
    `select coalesce(inhparent::regclass::text, relname) as table,
       sum(n_tup_ins)::bigint as inserted, sum(n_tup_upd)::bigint as updated,
       sum(n_tup_hot_upd)::bigint as hot, sum(n_tup_del)::bigint as deleted
     from pg_stat_user_tables left join pg_inherits on inhrelid = relid
     where schemaname = 'public' group by 1`,
  );
  return { log: log!, relations, rows };
}

type Grown = ReturnType<typeof grownOf>;

/** Of one charge. */
function grownOf(charges: number, before: Counts, after: Counts) {
  const each = (now: number, was = 0) => (now - was) / charges;
  const relations = after.relations.map(({ table, index, bytes }) => {
    const was = before.relations.find((one) => one.table === table && one.index === index);
    return { table, index, bytes: each(bytes, was?.bytes) };
  });
  const rows = after.rows.map(({ table, inserted, updated, hot, deleted }) => {
    const was = before.rows.find((one) => one.table === table);
    return {
      ...{ table, inserted: each(inserted, was?.inserted), updated: each(updated, was?.updated) },
      ...{ hot: each(hot, was?.hot), deleted: each(deleted, was?.deleted) },
      bytes: sum(relations.filter((one) => one.table === table && one.index === null)),
      indexBytes: sum(relations.filter((one) => one.table === table && one.index !== null)),
    };
  });
  return {
    tables: rows.toSorted((a, b) => b.bytes + b.indexBytes - a.bytes - a.indexBytes),
    indexes: relations.filter(({ index }) => index).toSorted((a, b) => b.bytes - a.bytes),
    records: each(after.log.records, before.log.records),
    images: each(after.log.images, before.log.images),
  };
}

const sum = (relations: readonly { bytes: number }[]) =>
  relations.reduce((total, { bytes }) => total + bytes, 0);

async function measuredFrom(
  db: Sql,
  charges: number,
  before: Counts,
  after: Counts,
): Promise<Measured> {
  const grown = grownOf(charges, before, after);
  const log = await db.query<LogKind>(LOG_KINDS, [before.log.lsn, after.log.lsn, charges]);
  const [recordBytes, imageBytes] = [sum(log), log.reduce((all, kind) => all + kind.images, 0)];
  const tableBytes = sum(grown.tables);
  const indexBytes = sum(grown.indexes);
  return {
    figures: {
      charges,
      bytes_per_charge: Math.round(tableBytes + indexBytes),
      table_bytes_per_charge: Math.round(tableBytes),
      index_bytes_per_charge: Math.round(indexBytes),
      wal_bytes_per_charge: Math.round(recordBytes + imageBytes),
      wal_record_bytes_per_charge: Math.round(recordBytes),
      wal_page_image_bytes_per_charge: Math.round(imageBytes),
      wal_records_per_charge: rounded(grown.records, 1),
      wal_page_images_per_charge: rounded(grown.images, 2),
      ...partsOf(grown),
    },
    details: detailsOf(grown, log),
  };
}

/** Those that grew by a byte for a charge: others are of background work. */
function partsOf({ tables, indexes }: Grown): Measured['figures'] {
  const grownTables = tables.filter(({ bytes, indexBytes }) => bytes + indexBytes >= 1);
  return {
    tables: Object.fromEntries(
      grownTables.map(({ table, bytes, indexBytes, inserted, updated, hot }) => [
        table,
        {
          ...{ bytes: Math.round(bytes), index_bytes: Math.round(indexBytes) },
          ...{ inserted: rounded(inserted, 2), updated: rounded(updated, 2), hot: rounded(hot, 2) },
        },
      ]),
    ),
    indexes: Object.fromEntries(
      indexes
        .filter(({ bytes }) => bytes >= 1)
        .map(({ index, bytes }) => [index!, Math.round(bytes)]),
    ),
  };
}

interface LogKind {
  name: string;
  records: number;
  bytes: number;
  images: number;
}

const LOG_KINDS = `
  select "resource_manager/record_type" as name, count / $3::float8 as records,
    record_size / $3::float8 as bytes, fpi_size / $3::float8 as images
  from pg_get_wal_stats($1::pg_lsn, $2::pg_lsn, true)
  where count > 0 order by combined_size desc`;

const PRINTED = 20;

function detailsOf({ tables, indexes }: Grown, log: readonly LogKind[]): string[] {
  const line = (name: string, ...numbers: readonly (number | string)[]) =>
    `${numbers.map((number) => `${number}`.padStart(8)).join('')}  ${name}`;
  return [
    'Of a charge: bytes in a table and in its indexes; rows inserted, updated, of these HOT, deleted:',
    ...tables
      .filter(({ inserted, updated }) => inserted + updated >= 0.01)
      .map(({ table, bytes, indexBytes, inserted, updated, hot, deleted }) =>
        line(
          table,
          ...[bytes, indexBytes].map(Math.round),
          ...[inserted, updated, hot, deleted].map((rows) => rows.toFixed(2)),
        ),
      ),
    'Bytes in indexes:',
    ...indexes
      .filter(({ bytes }) => bytes >= 1)
      .map(({ index, table, bytes }) => line(`${index} (${table})`, Math.round(bytes))),
    'Log: records, their bytes and those of page images:',
    ...log
      .slice(0, PRINTED)
      .map(({ name, records, bytes, images }) =>
        line(name, records.toFixed(2), ...[bytes, images].map(Math.round)),
      ),
  ];
}
