import { formatNaira } from '../../shared/money.ts';
import { acceptCapture, decideCapture } from './decide-capture.ts';
import type { ChargeFact } from './facts.ts';
import {
  type ChargePatch,
  type ChargeState,
  type Decision,
  move,
  movesDueAfter,
  type ReviewReason,
  stay,
  wholeOf,
} from './transitions.ts';

/**
 * Decides what a fact means for a charge. Pure and total: any fact in any state has an answer, and `undefined` says there is nothing
 * to write. What a fact carries (amounts, dates, ids, fees) is written in every state; only the status obeys the table.
 */
export function decideCharge(charge: ChargeState, fact: ChargeFact): Decision | undefined {
  switch (fact.type) {
    case 'captured':
      return decideCapture(charge, fact);
    case 'accepted':
      return charge.hasAppliedCapture ? undefined : acceptCapture(charge, fact.capture);
    case 'opened':
      return decideOpened(charge, { slot: fact.slot, connectionId: fact.connectionId });
    case 'refused':
    case 'declined':
    case 'expired':
    case 'cancelled':
      if (charge.review.includes('underpaid')) return undefined; // a person accepts or returns the money first
      return move(charge, fact.type, { failureMessage: fact.message, failureCause: fact.type });
    case 'unclear':
      if (charge.review.includes('unknown_status')) return undefined;
      return stay(
        {},
        'unknown_status',
        `The provider states ${fact.words}, which we do not know.`,
        ['unknown_status'],
      );
    case 'settled':
      return decideSettled(charge, settledPatch(fact));
    case 'settled elsewhere':
      return decideSettledElsewhere(charge, settledPatch(fact));
    case 'refunded':
      return decideRefunded(charge, fact);
    case 'grown':
      return decideGrown(charge, fact);
    case 'not returned':
      return stay(
        {},
        'not_returned',
        `${formatNaira(fact.amountKobo)} could not be sent back: ${fact.message}`,
        ['extra_capture'],
      );
    case 'dispute opened':
      return move(charge, 'dispute opened', {});
    case 'dispute won':
      return decideDisputeWon(charge);
    case 'dispute lost':
      return decideDisputeLost(charge);
    case 'dispute aside':
      return stay({}, 'dispute', fact.detail, ['dispute']);
  }
}

/** A later payment of an unpaid charge may be open at another connection: reads show the current one. */
function decideOpened(charge: ChargeState, patch: ChargePatch): Decision | undefined {
  const moved = move(charge, 'opened', patch);
  if (moved || charge.status !== 'pending' || charge.connectionId === patch.connectionId)
    return moved;
  return stay(patch, 'reopened', 'The payment was opened at another provider.');
}

function settledPatch({
  settledAt,
  settlementId,
  feeKobo,
}: Extract<ChargeFact, { settlementId: string }>): ChargePatch {
  return { settledAt, settlementId, ...(feeKobo !== null && { feeKobo }) };
}

/** The first line stands. Told before the payment itself it moves nothing yet, and never counts as the payment. */
function decideSettled(charge: ChargeState, patch: ChargePatch): Decision | undefined {
  if (charge.settledAt !== null) return undefined;
  return (
    move(charge, 'settled', patch) ??
    stay(patch, 'settlement_line', 'A settlement of the provider holds this payment.')
  );
}

function decideSettledElsewhere(charge: ChargeState, patch: ChargePatch): Decision | undefined {
  if (charge.settledAt === null) return decideSettled(charge, patch);
  if (charge.settlementId === patch.settlementId) return undefined;
  return stay(
    patch,
    'settlement_moved',
    `Settlement ${patch.settlementId} holds this payment now.`,
  );
}

/** What it was is decided already; what came on top is a person's to look at. */
function decideGrown(
  charge: ChargeState,
  { isOwn, amountKobo }: { isOwn: boolean; amountKobo: number },
): Decision {
  const isMore = amountKobo > charge.amountKobo;
  const reason: ReviewReason = isOwn && isMore ? 'overpaid' : 'extra_capture';
  // What was paid short is made up for; not so where all of it has gone back.
  const review = isOwn && !isMore && charge.status !== 'refunded' ? [] : [reason];
  const isTooMuch = review.length > 0 ? ' What is too much is in review.' : '';
  return stay(
    {},
    'grown',
    `More came under the same payment: it is ${formatNaira(amountKobo)} by now.${isTooMuch}`,
    review,
  );
}

/** The total only grows, so a report that comes twice, or after a later one, changes nothing. A charge paid short is refunded in full earlier. */
function decideRefunded(
  charge: ChargeState,
  { totalKobo, paidKobo }: { totalKobo: number; paidKobo: number },
): Decision | undefined {
  const refundedKobo = Math.min(totalKobo, charge.amountKobo);
  if (refundedKobo <= charge.refundedKobo) return undefined;
  const isAll = refundedKobo >= Math.min(charge.amountKobo, paidKobo);
  const moved = isAll ? move(charge, 'refunded in full', { refundedKobo }) : undefined;
  return (
    moved ??
    stay(
      { refundedKobo },
      'refund_recorded',
      `${formatNaira(refundedKobo)} went back to the payer so far.`,
    )
  );
}

function decideDisputeWon(charge: ChargeState): Decision | undefined {
  const decision = move(
    charge,
    charge.settledAt ? 'dispute won after settlement' : 'dispute won',
    {},
  );
  decision?.moves.push(...movesDueAfter(decision.moves[0]!, charge));
  return decision;
}

/** The money is gone, whether or not we heard of the dispute's beginning. */
function decideDisputeLost(charge: ChargeState): Decision | undefined {
  const refundedKobo = wholeOf(charge);
  const { paidKobo } = charge;
  return (
    move(charge, 'dispute lost', { refundedKobo }) ??
    decideRefunded(charge, { totalKobo: refundedKobo, paidKobo })
  );
}
