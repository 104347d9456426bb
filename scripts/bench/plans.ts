import pg from 'pg';
import { PLANNED_ONCE } from '../../config/orm.ts';
import { partitionedTables } from '../../domain/partitioned-tables.ts';
import { createPartitions } from '../../domain/shared/partitions.ts';
import type { Database, Sql } from '../../domain/shared/sql.ts';
import { migrateDatabase } from '../migrate-database.ts';
import type { Bench, BenchRun, Measured } from './bench.ts';
import { type BenchStack, openBenchStack } from './bench-stack.ts';
import { rounded } from './figures.ts';
import { machineLine } from './machine.ts';
import { DAYS, fillForPlans, type PlanSize } from './plan-rows.ts';
import { statementsOf } from './plan-statements.ts';

export const plans: Bench = {
  name: 'plans',
  description:
    'What every query of workers and views takes on ten million charges of one tenant, and of ten thousand',
  options: [{ flags: '--charges <number>', description: 'of each database; default: 10000000' }],
  measure,
};

const CHARGES = 10_000_000;
/** Statements printed for each database as soon as it is explained. */
const PRINTED = 40;
const TENANTS = [1, 10_000];
const DAY_MS = 86_400_000;

/** What a statement takes, read from its plan the second time, with the pages in memory. */
interface Explained {
  tenants: number;
  name: string;
  ms: number;
  pages: number;
  rows: number;
}

async function measure({ print, stopped, options }: BenchRun): Promise<Measured> {
  print('Starting PostgreSQL and Redis …');
  await using stack = await openBenchStack();
  const charges = Number(options.charges ?? CHARGES);
  // Nothing is written to disk in time: rows come sooner, and reading them takes the same.
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit'])
    await stack.context.db.query(`alter system set ${setting} = off`);
  await stack.context.db.query('select pg_reload_conf()');
  const explained: Explained[] = [];
  for (const tenants of TENANTS) {
    stopped.throwIfAborted();
    const size = { charges, tenants, end: stack.context.clock() };
    print(`Writing ${charges} charges of ${tenants} tenants …`);
    const databaseUrl = await fillDatabase(stack, size, print);
    print(`Explaining …`);
    const found = slowestFirst(await explainAll(databaseUrl, size));
    for (const one of found.slice(0, PRINTED)) print(lineOf(one));
    explained.push(...found);
    await stack.context.db.query(`drop database plans_${tenants} with (force)`);
  }
  const all = slowestFirst(explained);
  const [slowest] = all;
  return {
    result: {
      name: plans.name,
      charges,
      statements: explained.length,
      slowest: `${slowest!.name} (${slowest!.tenants} tenants)`,
      slowest_ms: rounded(slowest!.ms, 1),
      above_100_ms: explained.filter(({ ms }) => ms > 100).length,
    },
    report: [
      `${charges} charges in ${DAYS} days, slowest first: what the statement takes with its pages in memory, the pages it reads, the rows it returns.`,
      ...all.map(lineOf),
      await machineLine(stack.context),
    ],
  };
}

function slowestFirst(explained: readonly Explained[]): Explained[] {
  return explained.toSorted((one, other) => other.ms - one.ms);
}

function lineOf({ name, tenants, ms, pages, rows }: Explained): string {
  const figures = [`${ms.toFixed(2)} ms`, `${pages} pages`, `${rows} rows`, `${tenants} tenants`];
  return `${figures.map((figure) => figure.padStart(14)).join('')}  ${name}`;
}

async function fillDatabase(
  { postgres }: BenchStack,
  size: PlanSize,
  print: (line: string) => void,
): Promise<string> {
  const name = `plans_${size.tenants}`;
  await postgres.createDatabase(name);
  const databaseUrl = postgres.url(name);
  await migrateDatabase(databaseUrl);
  await using client = await connect(databaseUrl);
  const sql = databaseOn(client.client);
  for (const table of partitionedTables) {
    const now = new Date(size.end.getTime() - DAYS * DAY_MS);
    await createPartitions({ db: sql, now }, table, DAYS + 28);
  }
  await fillForPlans(sql, size, print);
  return databaseUrl;
}

async function connect(
  connectionString: string,
  options?: string,
): Promise<AsyncDisposable & { client: pg.Client }> {
  const client = new pg.Client({ connectionString, ...(options ? { options } : {}) });
  client.setTypeParser(20, Number);
  await client.connect();
  return { client, [Symbol.asyncDispose]: () => client.end() };
}

function databaseOn(client: pg.Client): Database {
  const query: Sql['query'] = async (text, values = []) =>
    (await client.query(text, [...values])).rows;
  return {
    query,
    async transaction(work) {
      await client.query('begin');
      const result = await work({ query });
      await client.query('commit');
      return result;
    },
  };
}

/**
 * Explains the statements of each function, in a transaction that is rolled back, under the
 * settings of the service's connections.
 */
async function explainAll(databaseUrl: string, size: PlanSize): Promise<Explained[]> {
  await using connected = await connect(databaseUrl, PLANNED_ONCE);
  const { client } = connected;
  const explained: Explained[] = [];
  for (const [name, run] of Object.entries(await statementsOf(databaseOn(client), size))) {
    let best: Omit<Explained, 'name' | 'tenants'>[] = [];
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await client.query(`set plan_cache_mode = ${mode}`);
      for (let time = 0; time < 2; time++) best = await explainOnce(client, run);
      explained.push(
        ...best.map((plan) => ({
          ...plan,
          name: `${name}${mode === 'force_generic_plan' ? ', generic plan' : ''}`,
          tenants: size.tenants,
        })),
      );
    }
  }
  return explained;
}

async function explainOnce(
  client: pg.Client,
  run: (db: Database) => Promise<unknown>,
): Promise<Omit<Explained, 'name' | 'tenants'>[]> {
  const seen: Omit<Explained, 'name' | 'tenants'>[] = [];
  const query: Sql['query'] = async (text, values = []) => {
    if (text.includes('set_config')) return (await client.query(text)).rows;
    const literals = values.map(literalOf).join(', ');
    await client.query(`prepare asked as ${text}`);
    const execute = `execute asked${literals && ` (${literals})`}`;
    await client.query('savepoint explained');
    const { rows } = await client.query(`explain (analyze, buffers, format json) ${execute}`);
    await client.query('rollback to explained');
    const [{ Plan: plan, 'Execution Time': ms }] = rows[0]['QUERY PLAN'];
    const pages = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    seen.push({ ms, pages, rows: plan['Actual Rows'] });
    const answered = (await client.query(execute)).rows;
    await client.query('deallocate asked');
    return answered;
  };
  await client.query('begin');
  await run({ query, transaction: (work) => work({ query }) });
  await client.query('rollback');
  return seen;
}

function literalOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString());
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map(elementOf).join(',')}}`);
  return pg.escapeLiteral(String(value));
}

function elementOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  const text = value instanceof Date ? value.toISOString() : String(value);
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}
