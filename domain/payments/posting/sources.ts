import type { Reader } from '../../shared/reader.ts';
import type { Sql } from '../../shared/sql.ts';

/** The records whose postings have this source in the API, where payments are transactions. */
export async function recordsOfSource(
  sql: Sql,
  { tenantId, mode }: Reader,
  source: string,
): Promise<string[]> {
  if (!source.startsWith('txn_')) return [source];
  const captures = await sql.query<{ id: string }>(
    `select k.id from captures k join charges c on c.id = k.charge_id
     where c.id = $1 and c.tenant_id = $2 and c.mode = $3`,
    [source, tenantId, mode],
  );
  return captures.map(({ id }) => id);
}

/** With the transactions of payments as their sources. */
export async function withSources<Entry extends { source: string }>(
  sql: Sql,
  { tenantId, mode }: Reader,
  entries: readonly Entry[],
): Promise<Entry[]> {
  const captures = await sql.query<{ id: string; charge_id: string }>(
    `select k.id, c.id as charge_id from captures k join charges c on c.id = k.charge_id
     where k.id = any($1) and c.tenant_id = $2 and c.mode = $3`,
    [entries.map(({ source }) => source), tenantId, mode],
  );
  const transactions = new Map(captures.map((row) => [row.id, row.charge_id]));
  return entries.map((entry) => ({
    ...entry,
    source: transactions.get(entry.source) ?? entry.source,
  }));
}
