import type { Tx } from '../../shared/tx.ts';
import { findAnsweredEnd } from '../attempt/ended-charges.ts';
import { lockCharge } from '../charge/store.ts';
import { advanceCharge } from './advance-charge.ts';

/**
 * Once the provider answered about every attempt that could hold money: silence fails no charge.
 */
export async function expireWhenAnswered(tx: Tx, chargeId: string): Promise<void> {
  if (!(await findAnsweredEnd(tx, chargeId))) return;
  // Housekeeping holds no lock yet, and a payment may be on its way to a provider just now.
  await lockCharge(tx, chargeId);
  const end = await findAnsweredEnd(tx, chargeId);
  if (!end) return;
  await advanceCharge(
    tx,
    chargeId,
    end.cancelled
      ? { type: 'cancelled', message: 'The merchant cancelled the charge.' }
      : { type: 'expired', message: 'The payment was not made in time.' },
  );
}
