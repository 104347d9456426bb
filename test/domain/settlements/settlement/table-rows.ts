import type { Ledger } from '../../ledger.ts';

const IGNORED_COLUMNS = /^(totals_computed_at|due_at|tries|verified_at)$/;

export async function rowsOf(ledger: Ledger): Promise<Set<string>> {
  const tables = await ledger.rows<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
     order by 1`,
  );
  const every = new Set<string>();
  for (const { name } of tables) {
    for (const row of await ledger.rows<Record<string, unknown>>(`select * from "${name}"`)) {
      every.add(
        `${name} ${JSON.stringify(Object.fromEntries(Object.entries(row).filter(([column]) => !IGNORED_COLUMNS.test(column))))}`,
      );
    }
  }
  return every;
}

export async function changesSince(before: ReadonlySet<string>, ledger: Ledger) {
  const after = await rowsOf(ledger);
  return { removed: [...before.difference(after)], added: [...after.difference(before)] };
}

export const noChanges = { removed: [], added: [] };
