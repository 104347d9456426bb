import { firstIdAt, madeAt } from '../../shared/ids.ts';
import type { Sql } from '../../shared/sql.ts';

export interface NamedPayments {
  chargeIds: readonly string[];
  connectionIds: readonly string[];
  references: readonly string[];
  providerPaymentIds: readonly string[];
}

const ROWS_PER_BATCH = 2_000;

/**
 * No index finds them: all since the oldest payment are read in batches. One to be processed stays.
 */
export async function eraseNotifications(sql: Sql, payments: NamedPayments): Promise<number> {
  const [oldest] = [...payments.chargeIds].sort();
  if (oldest === undefined) return 0;
  let deleted = 0;
  let after: string | null = firstIdAt('ntf', madeAt(oldest));
  while (after !== null) {
    const batch: Batch = await eraseBatch(sql, payments, after);
    deleted += batch.deleted;
    after = batch.last;
  }
  return deleted;
}

interface Batch {
  last: string | null;
  deleted: number;
}

async function eraseBatch(
  sql: Sql,
  { connectionIds, references, providerPaymentIds }: NamedPayments,
  after: string,
): Promise<Batch> {
  const [batch] = await sql.query<Batch>(
    `with batch as (select id from notifications where id > $1 order by id limit $5),
     deleted as (
       delete from notifications using batch
       where notifications.id = batch.id and connection_id = any($2) and about <> 'settlement'
         and status <> 'received'
         and (payment_references && $3::text[] or payment_ids && $4::text[])
       returning 1)
     select (select max(id) from batch) as last, (select count(*)::int from deleted) as deleted`,
    [after, connectionIds, references, providerPaymentIds, ROWS_PER_BATCH],
  );
  return batch!;
}
