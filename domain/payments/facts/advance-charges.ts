import type { Tx } from '../../shared/tx.ts';
import { findCapturesOf } from '../capture/store.ts';
import type { ChargeFact } from '../charge/facts.ts';
import { lockCharges } from '../charge/store.ts';
import { advanceCharge, advanceLocked } from './advance-charge.ts';

export interface SettledCharge {
  chargeId: string;
  fact: Extract<ChargeFact, { settlementId: string }>;
}

/** As `advanceCharge`, with one lock, one read and one write for all. */
export async function advanceCharges(tx: Tx, settled: readonly SettledCharge[]): Promise<void> {
  const facts = new Map(settled.toReversed().map((one) => [one.chargeId, one]));
  const charges = await lockCharges(tx, [...facts.keys()]);
  const captures = await findCapturesOf(tx, [...facts.keys()]);
  for (const charge of charges) {
    const now = { charge, captures: captures.get(charge.id) ?? [] };
    await advanceLocked(tx, now, facts.get(charge.id)!.fact);
  }
  // A second fact about a charge finds what the first one wrote.
  for (const one of settled.filter((fact) => facts.get(fact.chargeId) !== fact))
    await advanceCharge(tx, one.chargeId, one.fact);
}
