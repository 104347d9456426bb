import type { Sql } from './sql.ts';
import { isDocument, keyOf, type SealedFor, type Vault } from './vault.ts';

export interface SealedColumn {
  table: string;
  column: string;
  /** Columns of text; an index has them in this order. */
  key: readonly string[];
  /** SQL: only these rows hold a sealed value. */
  where?: string;
  /** SQL expressions; `from` joins what they need. */
  owner: { row: string; tenant: string; mode: string; from?: string };
  /** Default: the text is one value. */
  replace?: (text: string, seal: (sealed: string) => string) => string;
  type?: 'text' | 'jsonb';
}

interface SealedRow {
  key: string[];
  /** Null: nothing is sealed. */
  text: string | null;
  owner: SealedFor;
}

const ROWS_PER_BATCH = 200;

/**
 * Seals again what another key than the newest sealed. Safe while the service runs, to interrupt
 * and to repeat: what changes meanwhile is left.
 */
export async function resealColumn(sql: Sql, vault: Vault, column: SealedColumn) {
  const done = { resealed: 0, unopened: 0 };
  for await (const rows of batchesOf(sql, column))
    await Promise.all(
      rows.map(async (row) => {
        const text = textUnderCurrentKey(vault, column, row);
        if (text === undefined) done.unopened++;
        else if (text !== row.text && (await replaceText(sql, column, row, text))) done.resealed++;
      }),
    );
  return done;
}

export async function countByKey(sql: Sql, column: SealedColumn): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for await (const rows of batchesOf(sql, column)) {
    for (const { text } of rows) {
      if (text === null) continue;
      replaceSealed(column, text, (sealed) => {
        counts.set(keyOf(sealed), (counts.get(keyOf(sealed)) ?? 0) + 1);
        return sealed;
      });
    }
  }
  return counts;
}

/** Undefined: one does not open. */
function textUnderCurrentKey(vault: Vault, column: SealedColumn, { text, owner }: SealedRow) {
  if (text === null) return null;
  try {
    return replaceSealed(column, text, (sealed) =>
      keyOf(sealed) === vault.currentKey ? sealed : sealAgain(vault, sealed, owner),
    );
  } catch {
    return undefined;
  }
}

function sealAgain(vault: Vault, sealed: string, owner: SealedFor): string {
  const plain = vault.open(sealed, owner);
  return isDocument(sealed) ? vault.sealDocument(plain, owner) : vault.seal(plain, owner);
}

function replaceSealed({ replace }: SealedColumn, text: string, seal: (sealed: string) => string) {
  return replace ? replace(text, seal) : seal(text);
}

/** One row at a time: none waits in a circle. */
async function replaceText(
  sql: Sql,
  { table, column, key, type = 'text' }: SealedColumn,
  row: SealedRow,
  text: string | null,
): Promise<boolean> {
  const isRow = key.map((name, n) => `${name} = $${n + 3}`).join(' and ');
  const changed = await sql.query(
    `update ${table} set ${column} = $2::${type}
     where ${isRow} and ${column} = $1::${type} returning 1`,
    [row.text, text, ...row.key],
  );
  return changed.length > 0;
}

/** In the order of the key, a bounded number at a time. */
async function* batchesOf(sql: Sql, column: SealedColumn): AsyncGenerator<SealedRow[]> {
  let after: string[] | undefined;
  do {
    const rows = await readBatch(sql, column, after);
    yield rows;
    after = rows.length === ROWS_PER_BATCH ? rows.at(-1)!.key : undefined;
  } while (after);
}

async function readBatch(
  sql: Sql,
  { table, column, key, where = 'true', owner }: SealedColumn,
  after: string[] | undefined,
): Promise<SealedRow[]> {
  const names = key.map((name) => `${table}.${name}`).join(', ');
  const places = key.map((_, n) => `$${n + 2}`).join(', ');
  return sql.query<SealedRow>(
    `select array[${names}] as key,
       case when ${where} then ${table}.${column}::text end as text,
       json_build_object('table', '${table}', 'row', ${owner.row}, 'tenant', ${owner.tenant},
         'mode', ${owner.mode}) as owner
     from ${table} ${owner.from ?? ''}
     ${after ? `where (${names}) > (${places})` : ''}
     order by ${names} limit $1`,
    [ROWS_PER_BATCH, ...(after ?? [])],
  );
}
