import { formatNaira } from '../../shared/money.ts';
import { withoutPayersFee } from '../capture/capture.ts';
import { acceptCapture, decideCapture } from './decide-capture.ts';
import {
  appliedCapture,
  askPerson,
  type ChargeDecision,
  type ChargePatch,
  type ChargeState,
  enter,
  move,
  OPENED,
  statusesDueAfter,
  stay,
  wholeOf,
} from './decision.ts';
import type { ChargeFact } from './facts.ts';

/**
 * Pure and total; `undefined`: nothing to write. Amounts, dates, ids and fees are written in every
 * state; only the status obeys the table.
 */
export function decideCharge(
  charge: ChargeState,
  fact: ChargeFact,
  now: Date,
): ChargeDecision | undefined {
  switch (fact.type) {
    case 'captured':
      return decideCapture(charge, withoutPayersFee(fact, charge.amountKobo));
    case 'accepted':
      return appliedCapture(charge) ? undefined : acceptCapture(charge, fact.capture);
    case 'opened':
      return decideOpened(charge, { slot: fact.slot, connectionId: fact.connectionId });
    case 'refused':
    case 'declined':
    case 'expired':
    case 'cancelled':
      return decideFailed(charge, fact.type, fact.message, now);
    case 'retried':
      return decideRetried(charge, fact.slot);
    case 'unclear':
      return decideUnclear(charge, fact.words);
    case 'settled':
      return decideSettled(charge, settledPatch(fact));
    case 'settled elsewhere':
      return decideSettledElsewhere(charge, settledPatch(fact));
    case 'refunded':
      return decideRefunded(charge, fact);
    case 'refund came back':
      return decideRefundCameBack(charge, fact);
    case 'not returned':
    case 'return unclear':
      return decideNotReturned(fact);
    case 'dispute opened':
      return move(charge, 'dispute opened', {});
    case 'dispute won':
      return decideDisputeWon(charge);
    case 'dispute lost':
      return decideDisputeLost(charge);
    case 'dispute noted': {
      const { captureId, amountKobo, detail } = fact;
      return once(askPerson({ reason: 'dispute', detail, captureId, amountKobo }));
    }
  }
}

function once(decision: ChargeDecision): ChargeDecision {
  const asked = decision.effects.find((effect) => effect.type === 'open review');
  return asked ? { ...decision, unlessAsked: asked.review } : decision;
}

/** Reads show the connection that is current. */
function decideOpened(charge: ChargeState, patch: ChargePatch): ChargeDecision | undefined {
  const moved = move(charge, 'opened', patch, OPENED);
  if (moved || charge.status !== 'pending' || charge.connectionId === patch.connectionId)
    return moved;
  return stay(patch, 'reopened', 'The payment was opened at another provider.');
}

/** A person accepts or returns an underpayment first. */
function decideFailed(
  charge: ChargeState,
  cause: 'refused' | 'declined' | 'expired' | 'cancelled',
  message: string,
  now: Date,
): ChargeDecision | undefined {
  if (charge.review.includes('underpaid')) return undefined;
  const patch = { failureMessage: message, failureCause: cause, failedAt: now };
  if (!charge.retrying) return move(charge, cause, { ...patch, firstFailedAt: now }, message);
  // The event of its failure was sent before. One whose time runs out, or that no provider takes
  // now, was declined all the same.
  const { effects } = stay({}, 'retry_failed', message);
  const wasDeclined = cause === 'expired' || cause === 'refused';
  return {
    patch: { ...(wasDeclined ? { failedAt: now } : patch), retrying: false },
    effects: [{ type: 'watch attempts' }, ...effects],
  };
}

function decideRetried(charge: ChargeState, slot: string): ChargeDecision | undefined {
  if (charge.status !== 'failed' || charge.retrying) return undefined;
  return stay({ retrying: true }, 'retried', `The payer tries again, at ${slot}.`);
}

function decideUnclear(charge: ChargeState, words: string): ChargeDecision | undefined {
  if (charge.review.includes('unknown_status')) return undefined;
  const detail = `The provider states ${words}, which we do not know.`;
  return once(askPerson({ reason: 'unknown_status', detail, captureId: null, amountKobo: null }));
}

/** All charges that wait for their money are settled alike. */
export function decideAwaited(fact: Extract<ChargeFact, { type: 'settled' }>): ChargeDecision {
  return decideSettled(AWAITING_SETTLEMENT, settledPatch(fact))!;
}

export const AWAITING_SETTLEMENT = { status: 'succeeded', settledAt: null } as const;

function settledPatch({
  settledAt,
  settlementId,
  feeKobo,
}: Extract<ChargeFact, { settlementId: string }>): ChargePatch {
  return { settledAt, settlementId, ...(feeKobo !== null && { feeKobo }) };
}

/** The first line stands. One reported before the payment never counts as the payment. */
function decideSettled(charge: Pick<ChargeState, 'status' | 'settledAt'>, patch: ChargePatch) {
  if (charge.settledAt !== null) return undefined;
  return (
    move(charge, 'settled', patch, `Paid out with settlement ${patch.settlementId}.`) ??
    stay(patch, 'settlement_line', 'A settlement of the provider holds this payment.')
  );
}

function decideSettledElsewhere(charge: ChargeState, patch: ChargePatch) {
  if (charge.settledAt === null) return decideSettled(charge, patch);
  if (charge.settlementId === patch.settlementId) return undefined;
  return stay(
    patch,
    'settlement_moved',
    `Settlement ${patch.settlementId} holds this payment now.`,
  );
}

/** The total only grows, so a repeated report changes nothing. Paid short is refunded earlier. */
function decideRefunded(
  charge: ChargeState,
  { totalKobo, paidKobo }: { totalKobo: number; paidKobo: number },
): ChargeDecision | undefined {
  const refundedKobo = Math.min(totalKobo, charge.amountKobo);
  if (refundedKobo <= charge.refundedKobo) return undefined;
  const isAll = refundedKobo >= Math.min(charge.amountKobo, paidKobo);
  const moved = isAll ? move(charge, 'refunded in full', { refundedKobo }) : undefined;
  const detail = `${formatNaira(refundedKobo)} went back to the payer so far.`;
  return moved ?? stay({ refundedKobo }, 'refund_recorded', detail);
}

/** A person looks at it: the payer waits for the money. */
function decideRefundCameBack(
  charge: ChargeState,
  { captureId, amountKobo, detail, totalKobo }: Extract<ChargeFact, { type: 'refund came back' }>,
): ChargeDecision {
  const asked = askPerson({ reason: 'refund_reversed', detail, captureId, amountKobo });
  if (totalKobo === null || totalKobo >= charge.refundedKobo) return asked;
  const patch = { refundedKobo: totalKobo };
  const cause = charge.settledAt ? 'refund came back after settlement' : 'refund came back';
  const moved = move(charge, cause, patch) ?? { patch, effects: [] };
  return { ...moved, effects: [...moved.effects, ...asked.effects] };
}

/** A person decides. */
function decideNotReturned({
  type,
  captureId,
  amountKobo,
  message,
}: Extract<ChargeFact, { type: 'not returned' | 'return unclear' }>): ChargeDecision {
  const amount = formatNaira(amountKobo);
  const isUnclear = type === 'return unclear';
  const detail = isUnclear
    ? `${amount} may not have gone back to the payer: ${message}`
    : `${amount} could not be sent back: ${message}`;
  const { patch, effects } = stay({}, isUnclear ? 'return_unclear' : 'not_returned', detail);
  const review = { reason: 'extra_capture', detail, captureId, amountKobo } as const;
  return { patch, effects: [{ type: 'open review', review }, ...effects] };
}

function decideDisputeWon(charge: ChargeState): ChargeDecision | undefined {
  const cause = charge.settledAt ? 'dispute won after settlement' : 'dispute won';
  const decision = move(charge, cause, {});
  if (!decision) return undefined;
  const later = statusesDueAfter(decision.status!, charge, wholeOf(charge));
  return {
    ...decision,
    status: later.at(-1) ?? decision.status!,
    effects: [...decision.effects, ...later.flatMap((status) => enter(status, { detail: null }))],
  };
}

/** Also where the dispute's beginning was not reported. */
function decideDisputeLost(charge: ChargeState): ChargeDecision | undefined {
  const refundedKobo = wholeOf(charge);
  return (
    move(charge, 'dispute lost', { refundedKobo }) ??
    decideRefunded(charge, { totalKobo: refundedKobo, paidKobo: refundedKobo })
  );
}
