import type { Tx } from '../../shared/tx.ts';

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
