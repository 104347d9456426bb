import type { ListedRefund } from '../../providers/port/refund.ts';
import { statement } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import type { Listing } from './next-step.ts';

/** The copy begins with the connection or `since`. */
export async function openListing(
  { sql, now }: Pick<Tx, 'sql' | 'now'>,
  connectionId: string,
  since: Date,
): Promise<Listing> {
  await sql.query(
    `insert into refund_listings (connection_id, covered_from, listed_from, begun_at)
     select id, least(created_at, $2), least(created_at, $2), $3 from connections where id = $1
     on conflict (connection_id) do nothing`,
    [connectionId, since, now],
  );
  const [listing] = await sql.query<Listing>(
    'select * from refund_listings where connection_id = $1',
    [connectionId],
  );
  return listing!;
}

/** Another worker's new generation is returned instead. */
export async function beginGeneration(
  tx: Pick<Tx, 'sql' | 'now'>,
  { connection_id: id, generation }: Listing,
  from: Date,
): Promise<Listing> {
  await tx.sql.query(
    `update refund_listings set generation = generation + 1, listed_from = $3,
       covered_from = least(covered_from, $3), known_count = 0, next_page = 1, walks = 1,
       begun_at = $4, whole_at = null, trusts_total = false
     where connection_id = $1 and generation = $2`,
    [id, generation, from, tx.now],
  );
  return openListing(tx, id, from);
}

export type RecordedPage = Listing & { added: number };

const addPage = statement<RecordedPage>(
  `with added as (
     insert into listed_refunds (connection_id, provider_payment_id, provider_refund_id, refund_id,
       generation, listed_at)
     select :connectionId, payment_id, id, refund_id, :generation, :now
     from unnest(:paymentIds::text[], :ids::text[], :refundIds::text[])
       as listed (payment_id, id, refund_id)
     order by payment_id, id
     on conflict (connection_id, provider_payment_id, provider_refund_id) do update
       set generation = excluded.generation,
         refund_id = coalesce(excluded.refund_id, listed_refunds.refund_id)
       where listed_refunds.generation <> excluded.generation
     returning 1
   ), total as (select count(*)::int as added from added)
   update refund_listings l set known_count = known_count + added,
     next_page = case when next_page = :page then next_page + 1 else next_page end
   from total where connection_id = :connectionId and generation = :generation
   returning l.*, added`,
);

/** In one order, so that workers do not deadlock. Undefined: another one began a new generation. */
export async function recordPage(
  { sql, now }: Pick<Tx, 'sql' | 'now'>,
  { connection_id: connectionId, generation }: Listing,
  page: number,
  listed: readonly ListedRefund[],
): Promise<RecordedPage | undefined> {
  const rows = [...new Map(listed.map((row) => [row.providerRefundId, row])).values()];
  const [recorded] = await addPage(sql, {
    connectionId,
    generation,
    page,
    now,
    paymentIds: rows.map((row) => row.providerPaymentId ?? ''),
    ids: rows.map((row) => row.providerRefundId),
    refundIds: rows.map((row) => row.refundId),
  });
  return recorded;
}

export async function markWhole(
  { sql }: Pick<Tx, 'sql'>,
  { connection_id: id, generation }: Listing,
  { wholeAt, trustsTotal }: { wholeAt: Date; trustsTotal: boolean },
): Promise<void> {
  await sql.query(
    `update refund_listings set whole_at = greatest(whole_at, $3), trusts_total = $4, next_page = 1
     where connection_id = $1 and generation = $2`,
    [id, generation, wholeAt, trustsTotal],
  );
}

export async function countWalk(
  { sql }: Pick<Tx, 'sql'>,
  { connection_id: id, generation, walks }: Listing,
): Promise<void> {
  await sql.query(
    `update refund_listings set walks = walks + 1, next_page = 1
     where connection_id = $1 and generation = $2 and walks = $3`,
    [id, generation, walks],
  );
}

export interface ListedOfPayment {
  providerRefundId: string;
  refundId: string | null;
  /** By our records. */
  isCompleted: boolean;
}

export function findListed(
  { sql }: Pick<Tx, 'sql'>,
  connectionId: string,
  providerPaymentId: string,
): Promise<ListedOfPayment[]> {
  return sql.query<ListedOfPayment>(
    `select l.provider_refund_id as "providerRefundId", l.refund_id as "refundId",
       exists (select from refunds r where r.connection_id = l.connection_id
         and r.provider_refund_id = l.provider_refund_id and r.status = 'completed') as "isCompleted"
     from listed_refunds l where l.connection_id = $1 and l.provider_payment_id = $2
     order by l.provider_refund_id`,
    [connectionId, providerPaymentId],
  );
}
