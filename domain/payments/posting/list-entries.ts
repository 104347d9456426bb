import { type EntryQuery, type EntryRow, listEntries } from '../../journal/entries.ts';
import { CURRENCY } from '../../shared/money.ts';
import type { Reader } from '../../shared/reader.ts';
import type { Sql } from '../../shared/sql.ts';

/** With the charge of the payment, refund or dispute that it is about; a payout has none. */
export interface SourcedEntry extends EntryRow {
  charge: { id: string; number: number } | undefined;
}

/** `source`: the id that the API shows. */
export async function listSourcedEntries(
  sql: Sql,
  reader: Reader,
  { source, ...query }: Omit<EntryQuery, 'sources'> & { source?: string | undefined },
): Promise<SourcedEntry[]> {
  const sources = source === undefined ? undefined : await recordsOf(sql, reader, source);
  const entries = await listEntries(sql, reader, { ...query, sources });
  const charges = await chargesOf(sql, reader, entries);
  return entries.map((entry) => ({ ...entry, charge: charges.get(entry.source) }));
}

/** The API knows payments by their transaction. */
async function recordsOf(sql: Sql, { tenantId, mode }: Reader, source: string): Promise<string[]> {
  if (!source.startsWith('txn_')) return [source];
  const captures = await sql.query<{ id: string }>(
    `select k.id from captures k join charges c on c.id = k.charge_id
     where c.id = $1 and c.tenant_id = $2 and c.mode = $3`,
    [source, tenantId, mode],
  );
  return captures.map(({ id }) => id);
}

/** By the source. */
export async function chargesOf(
  sql: Sql,
  { tenantId, mode }: Reader,
  entries: readonly Pick<EntryRow, 'source'>[],
): Promise<Map<string, { id: string; number: number }>> {
  const rows = await sql.query<{ source: string; id: string; number: number }>(
    `select record.id as source, c.id, c.number from (
       select id, charge_id from captures where id = any($1)
       union all select id, charge_id from refunds where id = any($1)
       union all select id, charge_id from disputes where id = any($1)) record
     join charges c on c.id = record.charge_id
     where c.tenant_id = $2 and c.mode = $3`,
    [entries.map(({ source }) => source), tenantId, mode],
  );
  return new Map(rows.map(({ source, ...charge }) => [source, charge]));
}

export function sourceView(source: string, charge: SourcedEntry['charge']): string {
  return charge && source.startsWith('cap_') ? charge.id : source;
}

export function entryView({ source, charge, slot, ...entry }: SourcedEntry) {
  return {
    object: 'balance_transaction' as const,
    id: entry.id,
    type: entry.type,
    amount_kobo: entry.amount_kobo,
    currency: CURRENCY,
    provider: slot,
    source: sourceView(source, charge),
    occurred_at: entry.occurred_at.toISOString(),
    created_at: entry.created_at.toISOString(),
    mode: entry.mode,
  };
}
