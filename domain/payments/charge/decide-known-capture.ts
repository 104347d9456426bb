import { formatNaira } from '../../shared/money.ts';
import {
  excessOf,
  type KnownCapture,
  returnableOf,
  type StatedCapture,
} from '../capture/capture.ts';
import { type ChargeDecision, type ChargeEffect, type ChargeState, note } from './decision.ts';

/** The status stays; a person looks at what the charge does not need. */
export function decideIncrease(
  charge: ChargeState,
  known: KnownCapture,
  stated: StatedCapture,
): ChargeDecision {
  const { id: captureId, status } = known;
  const { amountKobo, payerFeeKobo = 0 } = stated;
  const isApplied = status === 'applied';
  const paidKobo = returnableOf({ amountKobo, payerFeeKobo }, isApplied);
  const inQuestionKobo = excessOf(charge, { isApplied, paidKobo });
  // A charge accepted for less takes the rest, unless it was refunded in full.
  const isNeeded = inQuestionKobo <= 0;
  const total = formatNaira(amountKobo);
  const detail =
    `More was paid under the same payment: ${total} in all.` +
    (isNeeded ? '' : ' What is too much is in review.');
  const reason = isApplied && amountKobo > charge.amountKobo ? 'overpaid' : 'extra_capture';
  const review = { reason, detail, captureId, amountKobo: inQuestionKobo } as const;
  return {
    patch: {},
    effects: [
      { type: 'increase capture', id: captureId, amountKobo, payerFeeKobo },
      ...(isNeeded ? [] : [{ type: 'open review', review } as const]),
      note('grown', { detail }),
    ],
  };
}

export function decideFee(
  { id, status, feeKobo: knownKobo }: KnownCapture,
  { feeKobo, attemptId }: StatedCapture,
): ChargeDecision | undefined {
  if (knownKobo !== null || feeKobo === null) return undefined;
  const recorded: ChargeEffect = { type: 'record capture fee', id, feeKobo };
  if (status !== 'applied') return { patch: {}, effects: [recorded] };
  const detail = `The provider stated its fee: ${formatNaira(feeKobo)}.`;
  return { patch: { feeKobo }, effects: [recorded, note('fee', { detail, attemptId })] };
}
