import { formatNaira } from '../../shared/money.ts';
import type { KnownCapture, StatedCapture } from '../capture/capture.ts';
import { type ChargeDecision, type ChargeEffect, type ChargeState, note } from './decision.ts';

/**
 * More money came under a payment that is on record as applied or duplicate. Its status stays; a
 * person looks at what the charge does not need.
 */
export function decideIncrease(
  charge: ChargeState,
  known: KnownCapture,
  stated: StatedCapture,
): ChargeDecision {
  const { id: captureId, status } = known;
  const { amountKobo } = stated;
  const isApplied = status === 'applied';
  const isTooMuch = amountKobo > charge.amountKobo;
  // A charge accepted for less takes the rest, unless it was refunded in full.
  const isNeeded = isApplied && !isTooMuch && charge.status !== 'refunded';
  const total = formatNaira(amountKobo);
  const detail =
    `More was paid under the same payment: ${total} in all.` +
    (isNeeded ? '' : ' What is too much is in review.');
  const review =
    isApplied && isTooMuch
      ? ({ reason: 'overpaid', amountKobo: amountKobo - charge.amountKobo } as const)
      : ({ reason: 'extra_capture', amountKobo } as const);
  return {
    patch: {},
    effects: [
      { type: 'increase capture', id: captureId, amountKobo },
      ...(isNeeded
        ? []
        : [{ type: 'open review', review: { ...review, detail, captureId } } as const]),
      note('grown', { detail }),
    ],
  };
}

/** A fee that the provider states only after the capture was recorded is recorded then. */
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
