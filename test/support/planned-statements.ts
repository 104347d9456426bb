import pg from 'pg';
import { PLANNED_ONCE } from '../../config/database/orm.ts';
import { migratedDatabase } from './postgres.ts';
import type { WatchedStatement } from './watched-statements.ts';

let pool: pg.Pool | undefined;

/** Throws where PostgreSQL, planning as in production, finds no index for a statement. */
export async function expectIndexes(statements: readonly WatchedStatement[]): Promise<void> {
  const scans: string[] = [];
  for (const { text, place, isPrepared } of statements) {
    if (!isPrepared) continue;
    const scanned = await scannedBy(text);
    if (scanned) scans.push(`${place} reads all of ${scanned}:\n${text}`);
  }
  if (scans.length > 0) throw new Error(scans.join('\n\n'));
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  Disabled?: boolean;
  Plans?: PlanNode[];
}

/** `explain lock table` is a syntax error; a partition of that day may be in one database alone. */
const NOT_PLANNED = new Set(['42601', '42P01']);
const ONE_ROW = 'event_feed';

async function scannedBy(text: string): Promise<string> {
  pool ??= await openPool();
  const { rows } = await pool
    .query(`explain (generic_plan, format json) ${text}`)
    .catch(({ code }) => {
      if (!NOT_PLANNED.has(code)) throw new Error(`It cannot be planned (${code}):\n${text}`);
      return { rows: [] };
    });
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  const scans = (plan ? nodesOf(plan) : []).filter(
    ({ Disabled: isDisabled, 'Relation Name': table = ONE_ROW }) => isDisabled && table !== ONE_ROW,
  );
  return scans.map((node) => node['Relation Name']).join(', ');
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

async function openPool(): Promise<pg.Pool> {
  const opened = new pg.Pool({
    ...{ connectionString: await migratedDatabase(), options: PLANNED_ONCE },
    ...{ max: 1, idleTimeoutMillis: 5_000, allowExitOnIdle: true },
  });
  opened.on('error', () => {}); // the server stops before it
  return opened;
}
