import type { Tx } from '../../shared/tx.ts';
import { returnableOf } from '../capture/capture.ts';
import { findCaptures } from '../capture/store.ts';
import { lockChargeOfPayment } from '../charge/store.ts';
import { insertReversal } from '../refund/made-there.ts';
import { sumReturns } from '../refund/sums.ts';
import { recordRefund } from './record-refund.ts';

/**
 * What refunds and lost disputes on record do not explain becomes a completed refund of its own
 * (`origin: provider`), so those are recorded before it. Safe to repeat.
 */
export async function recordReversal(
  tx: Tx,
  payment: { connectionId: string; providerPaymentId: string },
  raw: string,
): Promise<void> {
  const charge = await lockChargeOfPayment(tx, payment);
  if (!charge) return;
  const { connectionId, providerPaymentId } = payment;
  const capture = (await findCaptures(tx, charge.id)).find(
    (known) => known.connectionId === connectionId && known.providerPaymentId === providerPaymentId,
  )!;
  const paidKobo = returnableOf(capture, capture.status === 'applied');
  const { sentKobo, fromBankKobo } = await sumReturns(tx.sql, capture.id);
  const amountKobo = paidKobo - (sentKobo - fromBankKobo);
  if (amountKobo <= 0) return;
  const id = await insertReversal(tx, { captureId: capture.id, connectionId, charge }, amountKobo);
  await recordRefund(tx, id, { type: 'reversed', raw });
}
