import type { KnownCapture, StatedCapture } from '../../../../domain/payments/capture/capture.ts';
import type { CaptureStatus } from '../../../../domain/payments/capture/transitions.ts';
import { decideCharge as decideAt } from '../../../../domain/payments/charge/decide.ts';
import type {
  ChargeDecision,
  ChargeEffect,
  ChargeState,
} from '../../../../domain/payments/charge/decision.ts';
import type { ChargeFact } from '../../../../domain/payments/charge/facts.ts';
import { type ChargeStatus, isUnpaid } from '../../../../domain/payments/charge/transitions.ts';
import { chargeStatuses } from '../../../../domain/payments/entities/charge.ts';
import type { ReviewReason } from '../../../../domain/payments/entities/review-reasons.ts';
import { MINUTE_MS } from '../../../../domain/shared/units.ts';

export const attemptedAt = new Date('2026-03-02T09:00:00Z');
export const settledAt = new Date('2026-03-03T00:00:00Z');
export const now = new Date('2026-03-04T00:00:00Z');

/** A payment on record: the whole amount, by another reference than `captured()` has. */
export function known(status: CaptureStatus, overrides: Partial<KnownCapture> = {}): KnownCapture {
  return {
    ...{ id: `cap_${status}`, chargeId: 'txn_1', connectionId: 'con_a', status },
    ...{ providerPaymentId: `known-${status}`, amountKobo: 500_000 },
    ...{ payerFeeKobo: 0, feeKobo: 17_500, keptKobo: 0, ...overrides },
  };
}

export function given(status: ChargeStatus, overrides: Partial<ChargeState> = {}): ChargeState {
  const isPaid = !isUnpaid(status) && status !== 'failed';
  return {
    ...{ id: 'txn_1', status, mode: 'test', amountKobo: 500_000, currency: 'NGN' },
    refundedKobo: status === 'refunded' ? 500_000 : 0,
    settledAt: status === 'settled' ? settledAt : null,
    settlementId: status === 'settled' ? 'stl_1' : null,
    captures: isPaid ? [known('applied')] : [],
    ...{ connectionId: 'con_a', review: [], retrying: false, link: null, ...overrides },
  };
}

type Captured = { type: 'captured' } & StatedCapture;

export function captured(overrides: Partial<StatedCapture> = {}): Captured {
  const reference = 'SV-100001-abcdefgh';
  return {
    ...{ type: 'captured', captureId: 'cap_1', attemptId: 'att_1', attemptedAt },
    ...{ attemptReference: reference, reference, connectionId: 'con_a', slot: 'provider_a' },
    ...{ providerPaymentId: '4099260516', amountKobo: 500_000, feeKobo: 17_500 },
    ...{ currency: 'NGN', channel: 'card', mode: 'test' },
    createdAt: new Date(attemptedAt.getTime() + 1_000),
    capturedAt: new Date(attemptedAt.getTime() + MINUTE_MS),
    ...overrides,
  };
}

export const facts = {
  opened: { type: 'opened', slot: 'provider_a', connectionId: 'con_a' },
  captured: captured(),
  refused: { type: 'refused', message: 'No provider took the payment.' },
  declined: { type: 'declined', message: 'Insufficient funds.' },
  expired: { type: 'expired', message: 'The payment was not made in time.' },
  cancelled: { type: 'cancelled', message: 'The merchant cancelled the charge.' },
  retried: { type: 'retried', slot: 'provider_b' },
  unclear: { type: 'unclear', words: 'status "half-paid"' },
  settled: { type: 'settled', settledAt, settlementId: 'stl_1', feeKobo: 17_500 },
  'settled elsewhere': {
    ...{ type: 'settled elsewhere', settledAt, settlementId: 'stl_2', feeKobo: 17_500 },
  },
  'refunded in part': { type: 'refunded', totalKobo: 100_000, paidKobo: 500_000 },
  'refunded in full': { type: 'refunded', totalKobo: 500_000, paidKobo: 500_000 },
  'refund came back': {
    ...{ type: 'refund came back', captureId: 'cap_applied', amountKobo: 500_000, totalKobo: 0 },
    detail: 'The payer’s bank sent the money back.',
  },
  'not returned': {
    ...{ type: 'not returned', captureId: 'cap_2', amountKobo: 500_000 },
    message: 'The wallet does not hold enough.',
  },
  'return unclear': {
    ...{ type: 'return unclear', captureId: 'cap_2', amountKobo: 500_000 },
    message: 'Look in the provider’s dashboard.',
  },
  'dispute opened': { type: 'dispute opened' },
  'dispute won': { type: 'dispute won' },
  'dispute lost': { type: 'dispute lost' },
  'dispute noted': {
    ...{ type: 'dispute noted', captureId: 'cap_2', amountKobo: 500_000 },
    detail: 'Another payment is disputed.',
  },
  accepted: { type: 'accepted', capture: captured({ amountKobo: 300_000 }) },
} as const satisfies Record<string, ChargeFact>;

export function decide(charge: ChargeState, fact: ChargeFact): ChargeDecision | undefined {
  return decideAt(charge, fact, now);
}

export function effectsOf<Type extends ChargeEffect['type']>(
  decision: ChargeDecision | undefined,
  type: Type,
): Extract<ChargeEffect, { type: Type }>[] {
  const isOfType = (effect: ChargeEffect): effect is Extract<ChargeEffect, { type: Type }> =>
    effect.type === type;
  return (decision?.effects ?? []).filter(isOfType);
}

export function statusesOf(decision: ChargeDecision | undefined): ChargeStatus[] {
  return effectsOf(decision, 'append to timeline')
    .map(({ entry }) => entry.what.slice('charge.'.length))
    .filter((what): what is ChargeStatus => chargeStatuses.includes(what as ChargeStatus));
}

export function eventsOf(decision: ChargeDecision | undefined): string[] {
  return effectsOf(decision, 'publish').map(({ event }) => event);
}

export function reviewsOf(decision: ChargeDecision | undefined): ReviewReason[] {
  return effectsOf(decision, 'open review').map(({ review }) => review.reason);
}

export function recordedAs(decision: ChargeDecision | undefined): CaptureStatus | undefined {
  return effectsOf(decision, 'record capture')[0]?.status;
}

export function afterFact(charge: ChargeState, fact: ChargeFact): ChargeState {
  const decision = decide(charge, fact);
  if (!decision) return charge;
  const { patch, status } = decision;
  const resolved = effectsOf(decision, 'resolve review').map(({ reason }) => reason);
  const open = charge.review.filter((reason) => !resolved.includes(reason));
  return {
    ...charge,
    status: status ?? charge.status,
    refundedKobo: patch.refundedKobo ?? charge.refundedKobo,
    connectionId: patch.connectionId ?? charge.connectionId,
    settledAt: patch.settledAt ?? charge.settledAt,
    settlementId: patch.settlementId ?? charge.settlementId,
    retrying: patch.retrying ?? charge.retrying,
    review: [...new Set([...open, ...reviewsOf(decision)])],
    captures: capturesAfter(charge, decision),
  };
}

function capturesAfter(charge: ChargeState, decision: ChargeDecision): KnownCapture[] {
  const recorded = effectsOf(decision, 'record capture').map(({ id, status, capture }) => {
    const { connectionId, providerPaymentId, amountKobo, payerFeeKobo = 0, feeKobo } = capture;
    const payment = { connectionId, providerPaymentId, amountKobo, payerFeeKobo, feeKobo };
    return { id, chargeId: charge.id, status, keptKobo: 0, ...payment };
  });
  const others = charge.captures.filter(({ id }) => recorded.every((one) => one.id !== id));
  return [...others, ...recorded];
}
