import type { Tx } from '../../shared/tx.ts';
import { type AnsweredEnd, findAnsweredEnds } from '../attempt/ended-charges.ts';
import { findCapturesOf } from '../capture/store.ts';
import { hasEnded } from '../charge/ending.ts';
import { lockUnlockedCharges } from '../charge/store.ts';
import { advanceLocked, type ChargeNow, lockChargeNow } from './advance-charge.ts';

/**
 * Once the provider answered about every attempt that could hold money: silence fails no charge.
 */
export async function expireWhenAnswered(tx: Tx, chargeId: string): Promise<void> {
  const ends = await findAnsweredEnds(tx, [chargeId]);
  if (ends.size === 0) return;
  // Housekeeping holds no lock yet, and a payment may be on its way to a provider just now.
  await expireLocked(tx, await lockChargeNow(tx, chargeId));
}

/** As `expireWhenAnswered`, in few statements. Returns those left out: others have locked them. */
export async function expireTogether(tx: Tx, chargeIds: readonly string[]): Promise<string[]> {
  const charges = await lockUnlockedCharges(tx, chargeIds);
  const ids = charges.map(({ id }) => id);
  const ends = await findAnsweredEnds(tx, ids);
  const captures = await findCapturesOf(tx, ids);
  for (const charge of charges) {
    const end = ends.get(charge.id);
    if (end) await expire(tx, { charge, captures: captures.get(charge.id) ?? [] }, end);
  }
  return chargeIds.filter((id) => !ids.includes(id));
}

/** For a locked charge. Returns what it is after it. */
export async function expireLocked<Now extends ChargeNow>(tx: Tx, now: Now): Promise<Now> {
  const { id } = now.charge;
  const end = hasEnded(now.charge, tx.now) && (await findAnsweredEnds(tx, [id])).get(id);
  return end ? expire(tx, now, end) : now;
}

function expire<Now extends ChargeNow>(tx: Tx, now: Now, end: AnsweredEnd): Promise<Now> {
  return advanceLocked(
    tx,
    { ...now, endpointIds: { ...now.endpointIds, 'charge.failed': end.endpointIds } },
    end.cancelled
      ? { type: 'cancelled', message: 'The merchant cancelled the charge.' }
      : { type: 'expired', message: 'The payment was not made in time.' },
  );
}
