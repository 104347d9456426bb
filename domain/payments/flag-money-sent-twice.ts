import type { Job } from '../jobs.ts';
import { formatNaira } from '../shared/money.ts';
import type { Tx } from '../shared/tx.ts';
import { advanceCharge } from './apply.ts';
import { paidOfLostDispute } from './dispute/find.ts';
import { sumReturns } from './refund/sums.ts';

/**
 * Puts a payment into review of which more went back than was paid, because a lost dispute and
 * refunds both sent it back. Does nothing where no dispute of it was lost, or where no more went
 * back than was paid. The charge must be locked. Returns the jobs to enqueue.
 */
export async function flagMoneySentTwice(
  tx: Tx,
  chargeId: string,
  captureId: string,
): Promise<Job[]> {
  const paidKobo = await paidOfLostDispute(tx.sql, captureId);
  if (paidKobo === undefined) return [];
  const { sentKobo } = await sumReturns(tx.sql, captureId);
  const amountKobo = sentKobo - paidKobo;
  if (amountKobo <= 0) return [];
  const detail = `A lost dispute and refunds together send ${formatNaira(amountKobo)} more back than was paid.`;
  return advanceCharge(tx, chargeId, { type: 'dispute noted', captureId, amountKobo, detail });
}
