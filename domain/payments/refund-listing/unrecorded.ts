import type { PaidPayment } from '../../providers/port/payment.ts';
import type { Tx } from '../../shared/tx.ts';

export interface UnrecordedRefund {
  providerRefundId: string;
  refundId: string | null;
  payment: PaidPayment;
}

/** After this it belongs to the merchant's other business. */
const LOOKED_FOR_MS = 2 * 24 * 3_600_000;

/** First listed first. */
export async function findUnrecorded(
  { sql, now }: Pick<Tx, 'sql' | 'now'>,
  connectionId: string,
  limit: number,
): Promise<UnrecordedRefund[]> {
  return sql
    .query<UnrecordedRefund>(
      `with recent as materialized (
       select l.*, exists (select from refunds r where r.connection_id = l.connection_id
           and (r.provider_refund_id = l.provider_refund_id or r.id = l.refund_id)) as is_known
       from listed_refunds l
       where l.connection_id = $1 and not is_recorded and listed_at > $2
     ), known as (
       update listed_refunds l set is_recorded = true from recent
       where is_known and l.connection_id = $1
         and l.provider_payment_id = recent.provider_payment_id
         and l.provider_refund_id = recent.provider_refund_id
     )
     select provider_refund_id as "providerRefundId", refund_id as "refundId",
       json_build_object('providerPaymentId', k.provider_payment_id, 'reference', a.reference,
         'capturedAt', k.captured_at) as payment
     from recent join captures k using (connection_id, provider_payment_id)
       join attempts a on a.id = k.attempt_id
     where not is_known order by recent.listed_at, provider_refund_id limit $3`,
      [connectionId, new Date(now.getTime() - LOOKED_FOR_MS), limit],
    )
    .then((rows) => rows.map(withTime));
}

function withTime({ payment, ...refund }: UnrecordedRefund): UnrecordedRefund {
  return { ...refund, payment: { ...payment, capturedAt: new Date(payment.capturedAt) } };
}

export async function markRecorded(
  { sql }: Tx,
  connectionId: string,
  { providerRefundId, payment }: UnrecordedRefund,
): Promise<void> {
  await sql.query(
    `update listed_refunds set is_recorded = true
     where connection_id = $1 and provider_payment_id = $2 and provider_refund_id = $3`,
    [connectionId, payment.providerPaymentId, providerRefundId],
  );
}
