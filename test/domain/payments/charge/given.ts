import { decideCharge } from '../../../../domain/payments/charge/decide.ts';
import type { CaptureFact, ChargeFact } from '../../../../domain/payments/charge/facts.ts';
import type { ChargeState, ChargeStatus } from '../../../../domain/payments/charge/transitions.ts';

export const MINUTE_MS = 60_000;
export const attemptedAt = new Date('2026-03-02T09:00:00Z');
export const settledAt = new Date('2026-03-03T00:00:00Z');

/** A charge of ₦5,000 as it usually is in this status. */
export function given(status: ChargeStatus, overrides: Partial<ChargeState> = {}): ChargeState {
  const isPaid = status !== 'initiated' && status !== 'pending' && status !== 'failed';
  return {
    status,
    mode: 'test',
    amountKobo: 500_000,
    refundedKobo: status === 'refunded' ? 500_000 : 0,
    currency: 'NGN',
    connectionId: 'con_a',
    settledAt: status === 'settled' ? settledAt : null,
    settlementId: status === 'settled' ? 'stl_1' : null,
    review: [],
    hasAppliedCapture: isPaid,
    paidKobo: 500_000,
    ...overrides,
  };
}

/** The whole amount, paid by card under the attempt's own reference. */
export function captured(overrides: Partial<CaptureFact> = {}): CaptureFact {
  return {
    type: 'captured',
    attemptId: 'att_1',
    attemptReference: 'SV-100001-abcdefgh',
    reference: 'SV-100001-abcdefgh',
    attemptedAt,
    connectionId: 'con_a',
    slot: 'provider_a',
    providerPaymentId: '4099260516',
    amountKobo: 500_000,
    feeKobo: 17_500,
    currency: 'NGN',
    channel: 'card',
    mode: 'test',
    createdAt: new Date(attemptedAt.getTime() + 1_000),
    capturedAt: new Date(attemptedAt.getTime() + MINUTE_MS),
    ...overrides,
  };
}

/** One fact of each kind, by the name the tests use. */
export const facts = {
  opened: { type: 'opened', slot: 'provider_a', connectionId: 'con_a' },
  captured: captured(),
  refused: { type: 'refused', message: 'No provider took the payment.' },
  declined: { type: 'declined', message: 'Insufficient funds.' },
  expired: { type: 'expired', message: 'The payment was not made in time.' },
  cancelled: { type: 'cancelled', message: 'The merchant cancelled the charge.' },
  unclear: { type: 'unclear', words: 'status "half-paid"' },
  settled: { type: 'settled', settledAt, settlementId: 'stl_1', feeKobo: 17_500 },
  'settled elsewhere': {
    type: 'settled elsewhere',
    settledAt,
    settlementId: 'stl_2',
    feeKobo: 17_500,
  },
  'refunded in part': { type: 'refunded', totalKobo: 100_000, paidKobo: 500_000 },
  'refunded in full': { type: 'refunded', totalKobo: 500_000, paidKobo: 500_000 },
  'dispute opened': { type: 'dispute opened' },
  'dispute won': { type: 'dispute won' },
  'dispute lost': { type: 'dispute lost' },
  'dispute aside': {
    type: 'dispute aside',
    captureId: 'cap_2',
    amountKobo: 500_000,
    detail: 'Another payment is disputed.',
  },
  grown: { type: 'grown', captureId: 'cap_1', isOwn: true, amountKobo: 600_000 },
  accepted: { type: 'accepted', capture: captured({ amountKobo: 300_000 }) },
} as const satisfies Record<string, ChargeFact>;

/** The charge after a fact, as `advanceCharge` would leave its row. */
export function told(charge: ChargeState, fact: ChargeFact): ChargeState {
  const decision = decideCharge(charge, fact);
  if (!decision) return charge;
  const { patch, moves, review, captureStatus } = decision;
  return {
    ...charge,
    status: moves.at(-1) ?? charge.status,
    refundedKobo: patch.refundedKobo ?? charge.refundedKobo,
    connectionId: patch.connectionId ?? charge.connectionId,
    settledAt: patch.settledAt ?? charge.settledAt,
    settlementId: patch.settlementId ?? charge.settlementId,
    review: [...new Set([...charge.review, ...review])],
    hasAppliedCapture: charge.hasAppliedCapture || captureStatus === 'applied',
    paidKobo: captureStatus === 'applied' ? paymentKobo(fact) : charge.paidKobo,
  };
}

function paymentKobo(fact: ChargeFact): number {
  const { amountKobo } = fact.type === 'accepted' ? fact.capture : (fact as CaptureFact);
  return amountKobo;
}
