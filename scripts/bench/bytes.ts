import { setTimeout as delay } from 'node:timers/promises';
import type { Sql } from '../../domain/shared/sql.ts';
import { until } from '../local/until.ts';
import { type Bench, BenchFailure, type BenchRun, type Measured } from './bench.ts';
import { rounded } from './figures.ts';
import { openPipelineStack, type PipelineStack } from './pipeline-stack.ts';
import { controlSandbox } from './sandbox.ts';

const CHARGES_PER_SECOND = 50;
const SECONDS = 40;
const WARM_UP_SECONDS = 5;
const SETTLED_WITHIN_MS = 120_000;
/** Sessions tell of the rows they changed once they have been idle for ten seconds. */
const STATISTICS_MS = 11_000;
/** Smaller ones are of background work. */
const SHOWN_FROM_BYTES = 1;

export const bytes: Bench = {
  name: 'bytes',
  description: 'What a settled charge with one webhook writes: tables, indexes and log, each',
  options: {
    '--seconds <seconds>': `of ${CHARGES_PER_SECOND} customers each (${SECONDS})`,
    '--settings <settings>': 'of PostgreSQL, as name=value,…',
  },
  about: [
    'Bytes are what tables and indexes grew by, dead rows too, for one charge; log: since a checkpoint.',
    'HOT: of the rows that were updated, those whose indexes were left alone.',
  ],
  measure,
};

interface Relation {
  /** Of an index too: its table. Partitions count as their parent. */
  table: string;
  name: string;
  kind: 'table' | 'index';
  bytes: number;
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
async function live({ stopped }: BenchRun, stack: PipelineStack, seconds: number) {
  const { db } = stack.stack.context;
  const { charges } = await stack.serve(CHARGES_PER_SECOND, seconds);
  const missing = [...charges.values()].filter(({ webhookAtMs }) => !webhookAtMs).length;
  if (missing > 0) throw new BenchFailure(`${missing} webhooks did not come.`);
  await controlSandbox(stack.sandbox.url, 'settle', {});
  await db.query(`update connection_tasks set due_at = now() where task = 'settlements'`);
  const patience = { everyMs: 500, withinMs: SETTLED_WITHIN_MS, ended: stopped };
  const isSettled = await until(patience, async () => {
    const [left] = await db.query<{ count: number }>(
      `select (select count(*) from charges where status <> 'settled')
         + (select count(*) from settlements where status <> 'landed' and step <> 'forecast')
         + (select count(*) from notifications where status = 'received')
         + (select count(*) from deliveries where status = 'pending') as count`,
    );
    return left!.count === 0 ? true : undefined;
  });
  if (!isSettled) throw new BenchFailure('Some charges were not settled in time.');
  return charges.size;
}

type Counts = Awaited<ReturnType<typeof readCounts>>;

async function readCounts(db: Sql) {
  await delay(STATISTICS_MS);
  const [log] = await db.query<{ lsn: string; records: number; images: number; bytes: number }>(
    `select pg_current_wal_insert_lsn()::text as lsn, wal_records as records, wal_fpi as images,
       wal_bytes::bigint as bytes from pg_stat_wal`,
  );
  const relations = await db.query<Relation>(
    `select coalesce(inhparent::regclass, t.oid::regclass)::text as table,
       case c.relkind when 'i' then coalesce(
           (select p.inhparent::regclass::text from pg_inherits p where p.inhrelid = c.oid),
           c.relname)
         else 'table' end as name,
       case c.relkind when 'i' then 'index' else 'table' end as kind,
       sum(case c.relkind when 'i' then pg_relation_size(c.oid)
         else pg_table_size(c.oid) end)::bigint as bytes
     from pg_class c
       left join pg_index i on i.indexrelid = c.oid
       join pg_class t on t.oid = coalesce(i.indrelid, c.oid)
       left join pg_inherits on inhrelid = t.oid
     where c.relkind in ('r', 'i') and t.relnamespace = 'public'::regnamespace
     group by 1, 2, 3`,
  );
  const tables = await db.query<Rows>(
    `select coalesce(inhparent::regclass::text, relname) as table, sum(n_tup_ins)::bigint as inserted,
       sum(n_tup_upd)::bigint as updated, sum(n_tup_hot_upd)::bigint as hot,
       sum(n_tup_del)::bigint as deleted
     from pg_stat_user_tables left join pg_inherits on inhrelid = relid
     where schemaname = 'public' group by 1`,
  );
  return { log: log!, relations, tables };
}

interface Rows {
  table: string;
  inserted: number;
  updated: number;
  hot: number;
  deleted: number;
}

async function measuredFrom(db: Sql, charges: number, before: Counts, after: Counts) {
  const of = (number: number) => rounded(number / charges, 2);
  const each = (number: number) => Math.round(number / charges);
  const grown = after.relations
    .map((relation) => ({ ...relation, bytes: relation.bytes - bytesBefore(before, relation) }))
    .filter((relation) => relation.bytes / charges >= SHOWN_FROM_BYTES)
    .toSorted((one, other) => other.bytes - one.bytes);
  const sum = (kind: Relation['kind'], table?: string) =>
    grown
      .filter((one) => one.kind === kind && (table === undefined || one.table === table))
      .reduce((total, one) => total + one.bytes, 0);
  const rows = after.tables
    .map((now) => {
      const was = before.tables.find(({ table }) => table === now.table);
      return {
        table: now.table,
        inserted: now.inserted - (was?.inserted ?? 0),
        updated: now.updated - (was?.updated ?? 0),
        hot: now.hot - (was?.hot ?? 0),
        deleted: now.deleted - (was?.deleted ?? 0),
      };
    })
    .toSorted(
      (one, other) =>
        sum('table', other.table) +
        sum('index', other.table) -
        sum('table', one.table) -
        sum('index', one.table),
    );
  const kinds = await db.query<{ name: string; records: number; bytes: number; images: number }>(
    `select "resource_manager/record_type" as name, count::bigint as records,
       record_size::bigint as bytes, fpi_size::bigint as images
     from pg_get_wal_stats($1::pg_lsn, $2::pg_lsn, true)
     where count > 0 order by combined_size desc`,
    [before.log.lsn, after.log.lsn],
  );
  const records = kinds.reduce((total, kind) => total + kind.bytes, 0);
  const images = kinds.reduce((total, kind) => total + kind.images, 0);
  const figures: Measured['figures'] = {
    charges,
    bytes_per_charge: each(sum('table') + sum('index')),
    table_bytes_per_charge: each(sum('table')),
    index_bytes_per_charge: each(sum('index')),
    wal_bytes_per_charge: each(records + images),
    wal_record_bytes_per_charge: each(records),
    wal_page_image_bytes_per_charge: each(images),
    wal_records_per_charge: of(after.log.records - before.log.records),
    wal_page_images_per_charge: of(after.log.images - before.log.images),
    tables: Object.fromEntries(
      rows
        .filter(({ table }) => sum('table', table) + sum('index', table) > 0)
        .map(({ table, inserted, updated, hot, deleted }) => [
          table,
          {
            ...{ table: each(sum('table', table)), indexes: each(sum('index', table)) },
            ...{ inserted: of(inserted), updated: of(updated), deleted: of(deleted) },
            hot: updated ? rounded(hot / updated, 2) : 1,
          },
        ]),
    ),
    indexes: Object.fromEntries(
      grown.filter(({ kind }) => kind === 'index').map(({ name, bytes }) => [name, each(bytes)]),
    ),
  };
  const details = [
    'Bytes of a charge in tables and indexes; rows inserted, updated and deleted; HOT:',
    ...rows
      .filter(({ inserted, updated }) => (inserted + updated) / charges >= 0.01)
      .map(
        ({ table, inserted, updated, hot, deleted }) =>
          `${String(each(sum('table', table))).padStart(7)}${String(each(sum('index', table))).padStart(7)}` +
          `${of(inserted).toFixed(2).padStart(7)}${of(updated).toFixed(2).padStart(7)}` +
          `${of(deleted).toFixed(2).padStart(7)}` +
          `${updated ? `${Math.round((100 * hot) / updated)} %` : '-'}`.padStart(7) +
          `  ${table}`,
      ),
    'Bytes of a charge in indexes:',
    ...grown
      .filter(({ kind }) => kind === 'index')
      .map(({ name, table, bytes }) => `${String(each(bytes)).padStart(7)}  ${name} (${table})`),
    'Records, their bytes and those of page images in the log, for one charge:',
    ...kinds
      .slice(0, 20)
      .map(
        ({ name, records, bytes, images }) =>
          `${of(records).toFixed(2).padStart(8)}${String(each(bytes)).padStart(8)}${String(each(images)).padStart(8)}  ${name}`,
      ),
  ];
  return { figures, details };
}

function bytesBefore({ relations }: Counts, { table, name }: Relation): number {
  return relations.find((one) => one.table === table && one.name === name)?.bytes ?? 0;
}
