import { newId } from '../shared/ids.ts';
import { rowsWrite, type Sql } from '../shared/sql.ts';
import type { Tx } from '../shared/tx.ts';
import { type Account, type Moved, type PostingType, pairsOf } from './moved.ts';

/** Whose money it is, and at which account of a provider. */
export interface Owner {
  tenantId: string;
  mode: string;
  connectionId: string;
}

/** What a record has moved in all by now. */
export interface Movement {
  /** The id of the record. */
  source: string;
  type: PostingType;
  moved: Moved;
  occurredAt: Date;
}

/**
 * Posts what the journal does not say yet of what records moved: a correction is a posting of the
 * difference, and a repeat posts nothing. Whoever posts about a record has locked it. `isNew`: the
 * journal has nothing of these records, and is not read.
 */
export async function post(
  tx: Tx,
  owner: Owner,
  movements: readonly Movement[],
  { isNew = false } = {},
): Promise<void> {
  if (movements.length === 0) return;
  const sources = isNew ? [] : [...new Set(movements.map(({ source }) => source))];
  const posted = sources.length > 0 ? await findPosted(tx, sources) : [];
  for (const { source, type, moved, occurredAt } of movements) {
    const before = posted.filter((one) => one.source === source && one.type === type);
    for (const [n, pair] of pairsOf(difference(moved, before)).entries()) {
      const sequence = before.length + n + 1;
      await tx.write(
        postingsWrite({
          key: `${source}/${type}/${sequence}`,
          id: newId('btx', tx.now),
          tenant_id: owner.tenantId,
          mode: owner.mode,
          connection_id: owner.connectionId,
          ...pair,
          type,
          source,
          sequence,
          occurred_at: occurredAt,
          now: tx.now,
        }),
      );
    }
  }
}

/** Those of the records of which the journal says nothing. */
export async function unpostedOf<Record extends { id: string }>(
  sql: Sql,
  records: readonly Record[],
): Promise<Record[]> {
  if (records.length === 0) return [];
  const rows = await sql.query<{ source: string }>(
    'select distinct source from postings where source = any($1)',
    [records.map(({ id }) => id)],
  );
  const posted = new Set(rows.map(({ source }) => source));
  return records.filter(({ id }) => !posted.has(id));
}

interface Posted {
  source: string;
  type: PostingType;
  debit: Account;
  credit: Account;
  amount_kobo: number;
}

/**
 * Without the tenant: of a partition that has no statistics yet, PostgreSQL would read all that the
 * tenant has there.
 */
function findPosted({ sql }: Tx, sources: readonly string[]): Promise<Posted[]> {
  return sql.query<Posted>(
    'select source, type, debit, credit, amount_kobo from postings where source = any($1)',
    [sources],
  );
}

function difference(moved: Moved, posted: readonly Posted[]): Moved {
  const left = { ...moved };
  for (const { debit, credit, amount_kobo: kobo } of posted) {
    left[debit] = (left[debit] ?? 0) - kobo;
    left[credit] = (left[credit] ?? 0) + kobo;
  }
  return left;
}

const postingsWrite = rowsWrite(
  'postings',
  {
    key: 'text',
    id: 'text',
    tenant_id: 'text',
    mode: 'text',
    connection_id: 'text',
    debit: 'text',
    credit: 'text',
    amount_kobo: 'bigint',
    type: 'text',
    source: 'text',
    sequence: 'int',
    occurred_at: 'timestamptz',
    now: 'timestamptz',
  },
  `insert into postings (id, tenant_id, mode, connection_id, debit, credit, amount_kobo, type,
    source, sequence, occurred_at, created_at)
  select id, tenant_id, mode, connection_id, debit, credit, amount_kobo, type, source, sequence,
    occurred_at, now
  from :rows`,
);
