import type { Ledger } from '../../ledger.ts';

/** When a thing was last looked at is no part of what it is. */
const ASIDE = /^(totals_computed_at|due_at|enqueued_at|enqueues|tries|verified_at)$/;

/** Every row of every table. */
export async function rowsOf(ledger: Ledger): Promise<Set<string>> {
  const tables = await ledger.rows<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  );
  const every = new Set<string>();
  for (const { name } of tables) {
    for (const row of await ledger.rows<Record<string, unknown>>(`select * from "${name}"`)) {
      every.add(
        `${name} ${JSON.stringify(Object.fromEntries(Object.entries(row).filter(([column]) => !ASIDE.test(column))))}`,
      );
    }
  }
  return every;
}

/** Rows that are no more, and rows that are new or otherwise. */
export async function changesSince(
  before: ReadonlySet<string>,
  ledger: Ledger,
): Promise<{ gone: string[]; come: string[] }> {
  const after = await rowsOf(ledger);
  return { gone: [...before.difference(after)], come: [...after.difference(before)] };
}

export const nothing = { gone: [], come: [] };
