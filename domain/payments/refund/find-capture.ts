import type { Tx } from '../../shared/tx.ts';
import type { CaptureRow } from '../capture/capture.ts';
import type { RefundRow } from './row.ts';

export interface RefundedCapture
  extends Pick<
    CaptureRow,
    | 'id'
    | 'connection_id'
    | 'provider_payment_id'
    | 'amount_kobo'
    | 'payer_fee_kobo'
    | 'captured_at'
  > {
  /** No enabled connection has its slot. */
  is_disabled: boolean;
  reference: string;
}

/**
 * SQL condition: it or another connection of its slot is enabled. After a change of account,
 * payments of the old one can still go back.
 */
export const takesRefunds = (connectionId: string): string => `exists (
  select from connections o where o.id = ${connectionId} and (o.disabled_at is null or exists (
    select from connections n where n.tenant_id = o.tenant_id and n.mode = o.mode
      and n.slot = o.slot and n.disabled_at is null)))`;

/** The refund's own, or else the charge's. */
export async function findRefundedCapture(
  { sql }: Pick<Tx, 'sql'>,
  refund: RefundRow,
): Promise<RefundedCapture | undefined> {
  const [capture] = await sql.query<RefundedCapture>(
    `select k.id, k.connection_id, k.provider_payment_id, k.amount_kobo, k.payer_fee_kobo,
       k.captured_at, a.reference,
       not ${takesRefunds('k.connection_id')} as is_disabled
     from captures k join attempts a on a.id = k.attempt_id
     where k.id = coalesce($2, (select capture_id from charges where id = $1))`,
    [refund.charge_id, refund.capture_id],
  );
  return capture;
}
