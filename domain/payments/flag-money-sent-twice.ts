import type { Job } from '../jobs.ts';
import { formatNaira } from '../shared/money.ts';
import type { Tx } from '../shared/tx.ts';
import { advanceCharge } from './apply.ts';
import { goneOf } from './refund/sums.ts';

/**
 * Shows a person a payment of which more went back than was paid, because a bank took it back and refunds were on their way besides.
 * Nothing happens where no dispute of it was lost, or where all of it fits. The charge must be locked. Returns the jobs to enqueue.
 */
export async function flagMoneySentTwice(
  tx: Tx,
  chargeId: string,
  captureId: string,
): Promise<Job[]> {
  const [lost] = await tx.sql.query<{ paidKobo: number }>(
    `select amount_kobo as "paidKobo" from captures
     where id = $1 and exists (select from disputes where capture_id = $1 and disputes.status = 'lost')`,
    [captureId],
  );
  if (!lost) return [];
  const { sentKobo } = await goneOf(tx.sql, captureId);
  const amountKobo = sentKobo - lost.paidKobo;
  if (amountKobo <= 0) return [];
  const detail = `A lost dispute and refunds together send ${formatNaira(amountKobo)} more back than was paid.`;
  return advanceCharge(tx, chargeId, { type: 'dispute noted', captureId, amountKobo, detail });
}
