import type { CaptureFact, ChargeFact } from './facts.ts';

export const chargeStatuses = ['initiated', 'pending', 'succeeded', 'settled', 'failed', 'refunded', 'disputed'] as const;
export type ChargeStatus = (typeof chargeStatuses)[number];

/** What a fact amounts to for this charge: the columns of the table below. */
export type Cause =
  | 'opened'
  | 'paid'
  | 'refused'
  | 'declined'
  | 'expired'
  | 'cancelled'
  | 'settled'
  | 'refunded in full'
  | 'dispute opened'
  | 'dispute won'
  | 'dispute won after settlement'
  | 'dispute lost';

const failing = { refused: 'failed', declined: 'failed', expired: 'failed', cancelled: 'failed' } as const;

/**
 * Where each cause takes a charge. A pair that is absent leaves the status alone: facts may repeat and arrive in any order.
 * The contract's table, with one move beyond it: late money after `failed` is never dropped.
 */
export const chargeTransitions: Record<ChargeStatus, Partial<Record<Cause, ChargeStatus>>> = {
  initiated: { opened: 'pending', paid: 'succeeded', ...failing },
  pending: { paid: 'succeeded', ...failing },
  succeeded: { settled: 'settled', 'refunded in full': 'refunded', 'dispute opened': 'disputed' },
  settled: { 'refunded in full': 'refunded', 'dispute opened': 'disputed' },
  failed: { paid: 'succeeded' },
  disputed: { 'dispute won': 'succeeded', 'dispute won after settlement': 'settled', 'dispute lost': 'refunded' },
  refunded: {},
};

/** Why a person should look at a charge. */
export type ReviewReason = 'underpaid' | 'overpaid' | 'extra_capture' | 'capture_mismatch' | 'unknown_status';

/** What the rules need to know of a charge. */
export interface ChargeState {
  status: ChargeStatus;
  reference: string;
  mode: string;
  amountKobo: number;
  refundedKobo: number;
  currency: string;
  settledAt: Date | null;
  review: ReviewReason[];
  /** True once a capture is the charge's own. */
  hasKeptCapture: boolean;
}

/** `kept` is the charge's own money, `extra` came on top of it, `held` waits for a person (too little, or it does not match). */
export type CaptureKind = 'kept' | 'extra' | 'held';

/** Columns of the charge that a decision sets. */
export interface ChargePatch {
  feeKobo?: number;
  refundedKobo?: number;
  channel?: string;
  providerReference?: string;
  slot?: string;
  connectionId?: string;
  failureMessage?: string | null;
  failureCause?: string | null;
  occurredAt?: Date;
  settledAt?: Date;
  settlementId?: string;
  recovered?: true;
}

export type ChargeEventType = 'charge.succeeded' | 'charge.failed' | 'charge.disputed';

/** What to write. `moves` are the statuses passed through, last one final; empty when the status stays. */
export interface Decision {
  moves: ChargeStatus[];
  patch: ChargePatch;
  review: ReviewReason[];
  captureKind?: CaptureKind;
  /** Plain words for the timeline when the fact moved nothing. */
  note?: string;
  event?: ChargeEventType;
}

/**
 * Decides what a fact means for a charge. Pure and total: any fact in any state has an answer, and `undefined` says there is nothing
 * to write. Money facts always have something to write; only the status obeys the table.
 */
export function decideCharge(charge: ChargeState, fact: ChargeFact): Decision | undefined {
  switch (fact.type) {
    case 'captured':
      return decideCapture(charge, fact);
    case 'opened':
      return move(charge, 'opened', { slot: fact.slot, connectionId: fact.connectionId });
    case 'refused':
    case 'declined':
    case 'expired':
    case 'cancelled':
      if (charge.review.includes('underpaid')) return undefined; // a person accepts or returns the money first
      return move(charge, fact.type, { failureMessage: fact.message, failureCause: fact.type });
    case 'unclear':
      if (charge.review.includes('unknown_status')) return undefined;
      return { moves: [], patch: {}, review: ['unknown_status'], note: `The provider says "${fact.status}", which we do not know.` };
    case 'settled':
      return move(charge, 'settled', { settledAt: fact.settledAt, settlementId: fact.settlementId, feeKobo: fact.feeKobo });
    case 'refunded':
      return decideRefund(charge, fact.amountKobo);
    case 'dispute opened':
      return move(charge, 'dispute opened', {});
    case 'dispute won':
      return move(charge, charge.settledAt ? 'dispute won after settlement' : 'dispute won', {});
    case 'dispute lost':
      return move(charge, 'dispute lost', { refundedKobo: charge.amountKobo });
  }
}

function move(charge: ChargeState, cause: Cause, patch: ChargePatch): Decision | undefined {
  const to = chargeTransitions[charge.status][cause];
  if (to === undefined) return undefined;
  const decision: Decision = { moves: [to], patch, review: [] };
  if (to === 'failed') decision.event = 'charge.failed';
  if (to === 'disputed') decision.event = 'charge.disputed';
  return decision;
}

/** Money taken at a provider. Too little, or money that is not this charge's, never succeeds; money on top is extra. */
function decideCapture(charge: ChargeState, fact: CaptureFact): Decision {
  const mismatch = mismatchOf(charge, fact);
  if (mismatch !== undefined) return { moves: [], patch: {}, review: ['capture_mismatch'], captureKind: 'held', note: mismatch };
  if (charge.hasKeptCapture) {
    return {
      moves: [],
      patch: {},
      review: ['extra_capture'],
      captureKind: 'extra',
      note: 'The payer paid again; the extra money is in review.',
    };
  }
  if (fact.amountKobo < charge.amountKobo) {
    return { moves: [], patch: {}, review: ['underpaid'], captureKind: 'held', note: 'The payer paid less than was asked.' };
  }
  return keepCapture(charge, fact);
}

function keepCapture(charge: ChargeState, fact: CaptureFact): Decision {
  const to = chargeTransitions[charge.status].paid;
  const overpaid = fact.amountKobo > charge.amountKobo;
  const patch: ChargePatch = {
    feeKobo: fact.feeKobo ?? 0,
    channel: fact.channel,
    providerReference: fact.providerPaymentId,
    slot: fact.slot,
    connectionId: fact.connectionId,
    failureMessage: null,
    failureCause: null,
    occurredAt: fact.capturedAt,
  };
  const decision: Decision = { moves: [], patch, review: overpaid ? ['overpaid'] : [], captureKind: 'kept' };
  if (overpaid) decision.note = 'The payer paid more than was asked; the excess is in review.';
  if (to === undefined) return decision;
  // From initiated both moves happened, the first unseen.
  decision.moves = charge.status === 'initiated' ? ['pending', to] : [to];
  decision.event = 'charge.succeeded';
  if (charge.status === 'failed') patch.recovered = true;
  return decision;
}

function mismatchOf(charge: ChargeState, fact: CaptureFact): string | undefined {
  if (fact.reference !== fact.attemptReference) return 'The payment carries another reference.';
  if (fact.currency !== charge.currency) return `The payment is in ${fact.currency}, not ${charge.currency}.`;
  if (fact.mode !== null && fact.mode !== charge.mode) return `The payment was made in ${fact.mode} mode.`;
  if (fact.createdAt !== null && fact.createdAt.getTime() < fact.attemptedAt.getTime() - CLOCK_SKEW_MS) {
    return 'The payment is older than our attempt.';
  }
  return undefined;
}

/** Providers' clocks and ours may disagree by this much before a payment counts as older than the attempt it answers. */
const CLOCK_SKEW_MS = 5 * 60_000;

function decideRefund(charge: ChargeState, amountKobo: number): Decision {
  const refundedKobo = Math.min(charge.amountKobo, charge.refundedKobo + amountKobo);
  const full = refundedKobo >= charge.amountKobo;
  return (
    (full && move(charge, 'refunded in full', { refundedKobo })) || { moves: [], patch: { refundedKobo }, review: [], note: 'Refunded.' }
  );
}
