import { formatNaira } from '../../shared/money.ts';
import type { CaptureFact } from './facts.ts';
import {
  type CaptureStatus,
  type ChargePatch,
  type ChargeState,
  type Decision,
  move,
  movesDueAfter,
  type ReviewReason,
  stay,
} from './transitions.ts';

/** Providers' clocks and ours may disagree by this much before a payment counts as older than the attempt it answers. */
const CLOCK_SKEW_MS = 5 * 60_000;

/** Money taken at a provider. Too little, or money that is not this charge's, never succeeds; money on top of the charge's own is extra. */
export function decideCapture(charge: ChargeState, fact: CaptureFact): Decision {
  const mismatch = mismatchOf(charge, fact);
  if (mismatch !== undefined) return aside('on_hold', 'capture_mismatch', mismatch);
  if (charge.hasAppliedCapture) return sendBack(fact);
  if (fact.amountKobo >= charge.amountKobo) return keep(charge, fact);
  const amounts = `${formatNaira(fact.amountKobo)} of ${formatNaira(charge.amountKobo)}`;
  return aside('on_hold', 'underpaid', `The payer paid less than was asked: ${amounts}.`);
}

/** A person takes what was held as the charge's own, though it is too little or does not match. */
export function acceptCapture(charge: ChargeState, capture: CaptureFact): Decision {
  return keep(charge, capture);
}

/** Recorded, and sent back by a refund of the service's own. */
function sendBack({ amountKobo }: CaptureFact): Decision {
  return {
    ...stay({}, 'extra_capture', `The payer paid again: ${formatNaira(amountKobo)} goes back.`),
    captureStatus: 'duplicate',
  };
}

/** Recorded, shown to a person, and without effect on the charge. */
function aside(captureStatus: CaptureStatus, reason: ReviewReason, detail: string): Decision {
  return { ...stay({}, reason, detail, [reason]), captureStatus };
}

function keep(charge: ChargeState, fact: CaptureFact): Decision {
  const excessKobo = fact.amountKobo - charge.amountKobo;
  const tooMuch = stay(
    {},
    'overpaid',
    `The payer paid ${formatNaira(excessKobo)} more than was asked; it is in review.`,
    ['overpaid'],
  );
  const base: Decision = {
    moves: [],
    review: [],
    ...(excessKobo > 0 && tooMuch),
    patch: paidPatch(charge, fact),
    captureStatus: 'applied',
  };
  const paid = move(charge, 'paid', {});
  if (paid === undefined) return base;
  const seen = charge.status === 'initiated' ? ['pending' as const] : []; // both moves happened, the first unseen
  const moves = [
    ...seen,
    ...paid.moves,
    ...movesDueAfter('succeeded', { ...charge, paidKobo: fact.amountKobo }),
  ];
  return { ...base, moves, event: 'charge.succeeded' };
}

function paidPatch(charge: ChargeState, fact: CaptureFact): ChargePatch {
  return {
    ...(fact.feeKobo !== null && { feeKobo: fact.feeKobo }),
    channel: fact.channel,
    providerReference: fact.providerPaymentId,
    slot: fact.slot,
    connectionId: fact.connectionId,
    failureMessage: null,
    failureCause: null,
    occurredAt: paidAt(fact),
    ...(charge.status === 'failed' && { recovered: true }),
  };
}

/** No payment is older than the attempt it answers, so none is older than its charge: a provider's clock may run behind ours. */
function paidAt({ capturedAt, attemptedAt }: CaptureFact): Date {
  return capturedAt < attemptedAt ? attemptedAt : capturedAt;
}

function mismatchOf(charge: ChargeState, fact: CaptureFact): string | undefined {
  if (fact.reference !== fact.attemptReference) return 'The payment carries another reference.';
  if (fact.currency !== charge.currency)
    return `The payment is in ${fact.currency || 'no known currency'}, not ${charge.currency}.`;
  if (fact.mode !== null && fact.mode !== charge.mode)
    return `The payment was made in ${fact.mode} mode.`;
  if (
    fact.createdAt !== null &&
    fact.createdAt.getTime() < fact.attemptedAt.getTime() - CLOCK_SKEW_MS
  ) {
    return 'The payment is older than our attempt.';
  }
  return undefined;
}
