import type { ProviderRefund } from '../../providers/port/refund.ts';
import type { Tx } from '../../shared/tx.ts';
import { findCaptures } from '../capture/store.ts';
import { lockChargeOfPayment } from '../charge/store.ts';
import {
  claimListedRefund,
  claimReversal,
  insertProviderRefund,
  type RefundedPayment,
} from '../refund/made-there.ts';
import { recordRefund } from './record-refund.ts';

/**
 * Refunds begun at the provider are adopted, so that nothing goes back twice. An unknown payment
 * belongs to the merchant's other business. Safe to repeat.
 */
export async function recordListedRefunds(
  tx: Tx,
  payment: { connectionId: string; providerPaymentId: string },
  listed: readonly ProviderRefund[],
): Promise<void> {
  const { connectionId, providerPaymentId } = payment;
  const charge = await lockChargeOfPayment(tx, payment);
  if (!charge) return;
  const captures = await findCaptures(tx, charge.id);
  const capture = captures.find(
    (known) => known.connectionId === connectionId && known.providerPaymentId === providerPaymentId,
  )!;
  const refunded = { captureId: capture.id, connectionId, charge };
  for (const refund of listed) {
    const id =
      (await claimListedRefund(tx, refunded, refund)) ?? (await adopt(tx, refunded, refund));
    if (id !== undefined) await recordRefund(tx, id, { type: 'reported', refund });
  }
}

/** A failed refund moved no money. One of the amount of a reversal on record is that reversal. */
async function adopt(tx: Tx, payment: RefundedPayment, refund: ProviderRefund) {
  if (refund.state === 'failed' || refund.amountKobo === 0) return undefined;
  return (await claimReversal(tx, payment, refund)) ?? insertProviderRefund(tx, payment, refund);
}
