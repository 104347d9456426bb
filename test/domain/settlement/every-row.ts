import type { Ledger } from '../ledger.ts';

/** When a thing was last looked at is no part of what it is; neither are the ids of rows that say nothing but what they say. */
const ASIDE = /^(weighed_at|due_at|rung_at|ring|tries|verified_at)$/;

/** Every row of every table, in an order of their own. Ids and times are left out where `isAlike` is asked for: two databases have their own. */
export async function rowsOf(ledger: Ledger): Promise<Record<string, string[]>> {
  const tables = await ledger.rows<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  );
  const every: Record<string, string[]> = {};
  for (const { name } of tables) {
    const rows = await ledger.rows<Record<string, unknown>>(`select * from "${name}"`);
    every[name] = rows
      .map((row) => JSON.stringify(Object.fromEntries(Object.entries(row).filter(([column]) => !ASIDE.test(column)))))
      .sort();
  }
  return every;
}
