import { PLANNED_ONCE } from '../../config/database/orm.ts';
import { partitionedTables } from '../../domain/partitioned-tables.ts';
import { createPartitions } from '../../domain/shared/partitions.ts';
import { DAY_MS } from '../../domain/shared/units.ts';
import { migrateDatabase } from '../migrate-database.ts';
import type { Bench, BenchRun, Measured } from './bench.ts';
import { type Explained, explain, planCacheModes } from './explain.ts';
import { rounded } from './figures.ts';
import { DAYS, fillForPlans, type PlanSize } from './plan-rows.ts';
import { statementsOf } from './plan-statements.ts';
import { openSession } from './session.ts';
import { openStack } from './stack.ts';

const CHARGES = 10_000_000;
const PRINTED = 40;
const TENANTS = [1, 10_000];

export const plans: Bench = {
  name: 'plans',
  description: 'What every query takes on ten million charges of one tenant, and of ten thousand',
  options: { '--charges <number>': 'of each database; default: 10000000' },
  about: [
    `Charges of ${DAYS} days, the slowest first: time with pages in memory, pages read, rows returned.`,
  ],
  measure,
};

interface NamedPlan extends Explained {
  name: string;
  tenants: number;
}

async function measure(run: BenchRun): Promise<Measured> {
  const { print, stopped, options } = run;
  const { postgres, context } = await openStack(run);
  const charges = Number(options.charges ?? CHARGES);
  // Nothing is written to disk in time: rows come sooner, and reading them takes no less.
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit'])
    await context.db.query(`alter system set ${setting} = off`);
  await context.db.query('select pg_reload_conf()');
  const explained: NamedPlan[] = [];
  for (const tenants of TENANTS) {
    stopped.throwIfAborted();
    const size = { charges, tenants, end: context.clock() };
    const name = `plans_${tenants}`;
    print(`Writing ${charges} charges of ${tenants} tenants …`);
    await postgres.createDatabase(name);
    await fillDatabase(postgres.url(name), size, print);
    print(`Explaining …`);
    const found = slowestFirst(await explainAll(postgres.url(name), size));
    for (const one of found.slice(0, PRINTED)) print(lineOf(one));
    explained.push(...found);
    await context.db.query(`drop database ${name} with (force)`);
  }
  const all = slowestFirst(explained);
  const [slowest] = all;
  return {
    figures: {
      ...{ charges, statements: explained.length },
      slowest: `${slowest!.name} (${slowest!.tenants} tenants)`,
      slowest_ms: rounded(slowest!.ms, 1),
      above_100_ms: explained.filter(({ ms }) => ms > 100).length,
    },
    details: all.map(lineOf),
  };
}

function slowestFirst(explained: readonly NamedPlan[]): NamedPlan[] {
  return explained.toSorted((one, other) => other.ms - one.ms);
}

function lineOf({ name, tenants, ms, pages, rows }: NamedPlan): string {
  const figures = [`${ms.toFixed(2)} ms`, `${pages} pages`, `${rows} rows`, `${tenants} tenants`];
  return `${figures.map((figure) => figure.padStart(14)).join('')}  ${name}`;
}

async function fillDatabase(url: string, size: PlanSize, print: (line: string) => void) {
  await migrateDatabase(url);
  await using db = await openSession({ connectionString: url });
  const begins = { db, now: new Date(size.end.getTime() - DAYS * DAY_MS) };
  for (const table of partitionedTables) await createPartitions(begins, table, DAYS + 28);
  await fillForPlans(db, size, print);
}

/** Explains statements as the service plans them; each second run, with pages in memory, counts. */
async function explainAll(connectionString: string, size: PlanSize): Promise<NamedPlan[]> {
  await using session = await openSession({ connectionString, options: PLANNED_ONCE });
  const explained: NamedPlan[] = [];
  for (const [name, run] of Object.entries(await statementsOf(session, size)))
    for (const mode of planCacheModes) {
      await explain(session.client, mode, run);
      const shown = mode === 'force_generic_plan' ? `${name}, generic plan` : name;
      const again = await explain(session.client, mode, run);
      for (const one of again.explained)
        explained.push({ ...one, name: shown, tenants: size.tenants });
    }
  return explained;
}
