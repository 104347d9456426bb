import { formatNaira } from '../../shared/money.ts';
import type { Tx } from '../../shared/tx.ts';
import { paymentOf } from '../dispute/find.ts';
import { postReturns } from '../posting/post-returns.ts';
import { reduceReversals } from '../refund/made-there.ts';
import { sumReturns } from '../refund/sums.ts';
import { advanceCharge } from './advance-charge.ts';

/**
 * A lost dispute, a refund and a reversal may record the same money. The reversal is reduced first,
 * as what nothing else explained; what is still too much, a person looks at. The charge must be
 * locked.
 */
export async function flagMoneySentTwice(tx: Tx, chargeId: string, captureId: string) {
  const { paidKobo, hasLostDispute } = await paymentOf(tx.sql, captureId);
  const { sentKobo, fromBankKobo } = await sumReturns(tx.sql, captureId);
  const excessKobo = sentKobo - fromBankKobo - paidKobo;
  if (excessKobo <= 0) return;
  const amountKobo = excessKobo - (await reduceReversals(tx, captureId, excessKobo));
  await postReturns(tx, captureId);
  if (amountKobo === 0 || !hasLostDispute) return;
  const detail = `A lost dispute and refunds together send ${formatNaira(amountKobo)} more back than was paid.`;
  await advanceCharge(tx, chargeId, { type: 'dispute noted', captureId, amountKobo, detail });
}
