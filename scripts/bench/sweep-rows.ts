import { newId } from '../../domain/shared/ids.ts';
import type { Sql } from '../../domain/shared/sql.ts';

const IN_ONE_STATEMENT = 50_000;

/** A charge that attempts may belong to. */
export async function addCharge(sql: Sql, connectionId: string, now: Date): Promise<string> {
  const id = newId('txn', now);
  await sql.query(
    `insert into charges (id, tenant_id, mode, number, status, amount_kobo, currency, email,
       metadata, provider_wanted, slot, connection_id, created_by, occurred_at, created_at,
       expires_at)
     select $1, tenant_id, mode, nextval('sv_numbers'), 'initiated', 100000, 'NGN',
       'payer@example.com', '{}', 'auto', slot, id, 'secret', $3, $3, $3::timestamptz + interval '1 day'
     from connections where id = $2`,
    [id, connectionId, now],
  );
  return id;
}

interface DueAttempts {
  chargeId: string;
  /** They have the same number of rows each. */
  connections: readonly string[];
  rows: number;
  now: Date;
}

/** Writes attempts to be created that have been due for a minute. */
export async function addAttempts(
  sql: Sql,
  { chargeId, connections, rows, now }: DueAttempts,
): Promise<void> {
  for (let written = 0; written < rows; written += IN_ONE_STATEMENT)
    await sql.query(
      `insert into attempts
         (id, charge_id, connection_id, slot, reference, status, due_at, created_at)
       select 'att_' || lpad(n::text, 26, '0'), $1, ($2::text[])[1 + n % $3], 'provider_a',
         'SV-' || n, 'queued', $4::timestamptz - interval '1 minute' + n * interval '1 microsecond',
         $4
       from generate_series($5::int, $6::int) n`,
      [
        chargeId,
        connections,
        connections.length,
        now,
        written,
        Math.min(rows, written + IN_ONE_STATEMENT) - 1,
      ],
    );
}

/** Gives the connections each of the three providers in turn: nobody calls them. */
export async function spreadOverProviders(sql: Sql): Promise<void> {
  await sql.query(
    `update connections set adapter = ('{paystack,flutterwave,monnify}'::text[])[1 + nth % 3]
     from (select id, row_number() over (order by id) as nth from connections) numbered
     where connections.id = numbered.id`,
  );
}
