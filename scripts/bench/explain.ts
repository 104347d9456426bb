import { Mutex } from 'async-mutex';
import pg from 'pg';
import type { Database, Sql } from '../../domain/shared/sql.ts';

export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
}

export type Explained = { ms: number; pages: number; rows: number; plan: PlanNode };

/** A plan made for its values, and one without a look at them, as a prepared one comes to be. */
export const planCacheModes = ['force_custom_plan', 'force_generic_plan'] as const;

const READS_NO_ROWS = /^\s*explain|set_config/;

/** Explains each statement of `work`, prepared as by the service's pool. All is rolled back. */
export async function explain<T>(
  client: pg.ClientBase,
  mode: (typeof planCacheModes)[number] | 'auto',
  work: (db: Database) => Promise<T>,
): Promise<{ explained: Explained[]; result: T }> {
  const explained: Explained[] = [];
  const run = async (text: string, values: readonly unknown[]) => {
    if (READS_NO_ROWS.test(text)) return (await client.query(text, [...values])).rows;
    const literals = values.map(literalOf).join(', ');
    const execute = `execute asked${literals && ` (${literals})`}`;
    await client.query(`prepare asked as ${text}`);
    await client.query('savepoint explained');
    const options = 'analyze, buffers, timing off, format json';
    const { rows } = await client.query(`explain (${options}) ${execute}`);
    await client.query('rollback to explained');
    const [{ Plan: plan, 'Execution Time': ms }] = rows[0]['QUERY PLAN'];
    const pages = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    explained.push({ ms, pages, rows: plan['Actual Rows'], plan });
    const answered = (await client.query(execute)).rows;
    await client.query('deallocate asked');
    return answered;
  };
  // Statements that run at once on the pool run one after the other here.
  const mutex = new Mutex();
  const query: Sql['query'] = (text, values = []) => mutex.runExclusive(() => run(text, values));
  await client.query('begin');
  await client.query(`set local plan_cache_mode = ${mode}`);
  try {
    const result = await work({ query, transaction: (inside) => inside({ query }) });
    return { explained, result };
  } finally {
    await client.query('rollback');
    await client.query('deallocate all');
  }
}

export function pagesOf(explained: readonly Explained[]): number {
  return explained.reduce((sum, { pages }) => sum + pages, 0);
}

export function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
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
