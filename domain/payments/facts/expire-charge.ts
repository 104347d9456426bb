import type { Tx } from '../../shared/tx.ts';
import { findAnsweredEnd } from '../attempt/ended-charges.ts';
import { hasEnded } from '../charge/ending.ts';
import { advanceLocked, type ChargeNow, lockChargeNow } from './advance-charge.ts';

/**
 * Once the provider answered about every attempt that could hold money: silence fails no charge.
 */
export async function expireWhenAnswered(tx: Tx, chargeId: string): Promise<void> {
  if (!(await findAnsweredEnd(tx, chargeId))) return;
  // Housekeeping holds no lock yet, and a payment may be on its way to a provider just now.
  await expireLocked(tx, await lockChargeNow(tx, chargeId));
}

/** For a locked charge. Returns what it is after it. */
export async function expireLocked<Now extends ChargeNow>(tx: Tx, now: Now): Promise<Now> {
  const { charge } = now;
  const end = hasEnded(charge, tx.now) ? await findAnsweredEnd(tx, charge.id) : undefined;
  if (!end) return now;
  return advanceLocked(
    tx,
    now,
    end.cancelled
      ? { type: 'cancelled', message: 'The merchant cancelled the charge.' }
      : { type: 'expired', message: 'The payment was not made in time.' },
  );
}
