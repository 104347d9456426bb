import { formatNaira } from '../../shared/money.ts';
import type { KnownCapture, StatedCapture } from '../capture/capture.ts';
import { type ChargeDecision, type ChargeEffect, type ChargeState, note } from './decision.ts';

/** What it was is decided already; what came on top is a person's to look at. */
export function grow(
  charge: ChargeState,
  known: KnownCapture,
  stated: StatedCapture,
): ChargeDecision {
  const { id: captureId, status } = known;
  const { amountKobo } = stated;
  const isApplied = status === 'applied';
  const isMore = amountKobo > charge.amountKobo;
  // What was paid short is made up for; not so where all of it has gone back.
  const isFine = isApplied && !isMore && charge.status !== 'refunded';
  const detail = `More came under the same payment: it is ${formatNaira(amountKobo)} by now.${isFine ? '' : ' What is too much is in review.'}`;
  const review =
    isApplied && isMore
      ? ({ reason: 'overpaid', amountKobo: amountKobo - charge.amountKobo } as const)
      : ({ reason: 'extra_capture', amountKobo } as const);
  return {
    patch: {},
    effects: [
      { type: 'grow capture', id: captureId, amountKobo },
      ...(isFine
        ? []
        : [{ type: 'open review', review: { ...review, detail, captureId } } as const]),
      note('grown', { detail }),
    ],
  };
}

/** A fee the provider had not stated when the capture was recorded is taken over once it does. */
export function recordFee(
  { id, status, feeKobo: knownKobo }: KnownCapture,
  { feeKobo, attemptId }: StatedCapture,
): ChargeDecision | undefined {
  if (knownKobo !== null || feeKobo === null) return undefined;
  const recorded: ChargeEffect = { type: 'record capture fee', id, feeKobo };
  if (status !== 'applied') return { patch: {}, effects: [recorded] };
  const detail = `The provider stated its fee: ${formatNaira(feeKobo)}.`;
  return { patch: { feeKobo }, effects: [recorded, note('fee', { detail, attemptId })] };
}
