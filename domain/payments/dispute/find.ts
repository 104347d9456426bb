import type { PaidPayment } from '../../providers/provider.ts';
import type { Tx } from '../../shared/tx.ts';

/** Which open disputes of a connection are to be asked about. */
export interface OpenQuery {
  connectionId: string;
  /** The provider's ids of those it has just told of. */
  told: readonly string[];
  /** Those asked about since are left out. */
  since: Date;
  limit: number;
}

/** Payments of open disputes, the one asked about longest ago first, and marks their disputes as asked about now, or just told of. */
export async function openDisputes(
  { sql, now }: Pick<Tx, 'sql' | 'now'>,
  { connectionId, told, since, limit }: OpenQuery,
): Promise<PaidPayment[]> {
  await sql.query(
    `update disputes set asked_at = $3 where connection_id = $1 and status = 'open' and provider_dispute_id = any($2)`,
    [connectionId, told, now],
  );
  const rows = await sql.query<{
    provider_payment_id: string;
    reference: string;
    captured_at: Date;
  }>(
    `with due as (
       select id from disputes where connection_id = $1 and status = 'open' and (asked_at is null or asked_at < $2)
       order by asked_at nulls first, id limit $4
     ), asked as (
       update disputes set asked_at = $3 where id in (select id from due) returning capture_id
     )
     select distinct k.id, k.provider_payment_id, a.reference, k.captured_at
     from asked join captures k on k.id = asked.capture_id join attempts a on a.id = k.attempt_id order by k.id`,
    [connectionId, since, now, limit],
  );
  return rows.map((row) => ({
    providerPaymentId: row.provider_payment_id,
    reference: row.reference,
    capturedAt: row.captured_at,
  }));
}
