import type { Tx } from '../../shared/tx.ts';
import { publishEvent } from '../../webhooks/event/publish.ts';
import { watchAfterFailure } from '../attempt/store.ts';
import type { KnownCapture } from '../capture/capture.ts';
import { findCaptures, increaseCapture, writeCapture, writeCaptureFee } from '../capture/store.ts';
import { decideCharge } from '../charge/decide.ts';
import type { ChargeDecision, ChargeEffect, ChargeState } from '../charge/decision.ts';
import { type ChargeFact, captureIn } from '../charge/facts.ts';
import { type ChargeRow, transactionView } from '../charge/row.ts';
import { lockCharge, refreshReview, updateCharge } from '../charge/store.ts';
import { lockLink, payLink } from '../payment-link/pay-link.ts';
import { cancelRequests } from '../refund/cancel-requests.ts';
import { refundedOf } from '../refund/sums.ts';
import { returnDuplicate } from '../refund/system.ts';
import { openReview, resolveReviews, wasAsked } from '../review/store.ts';
import { appendTimeline, type Evidence } from '../timeline/timeline.ts';

/**
 * Locks a charge, decides, and writes the decision with all its effects. A repeated fact changes
 * nothing. Payouts in which nothing else changes are written by `settle-as-recorded.ts`.
 */
export async function advanceCharge(
  tx: Tx,
  chargeId: string,
  fact: ChargeFact,
  evidence?: Evidence,
): Promise<void> {
  const charge = await lockCharge(tx, chargeId);
  const captures = await findCaptures(tx, charge.id, captureIn(fact));
  await advanceLocked(tx, { charge, captures }, fact, evidence);
}

export interface ChargeNow {
  charge: ChargeRow;
  /** And the reported one where another charge has it. */
  captures: readonly KnownCapture[];
  /** Where the caller has read those that want to know when it is paid. */
  endpointIds?: readonly string[] | undefined;
}

export interface AdvancedCharge {
  charge: ChargeRow;
  recorded: KnownCapture[];
}

/** For a locked charge. Undefined: row and captures must be read again. */
export async function advanceLocked(
  tx: Tx,
  now: ChargeNow,
  fact: ChargeFact,
  evidence?: Evidence,
): Promise<AdvancedCharge | undefined> {
  const { charge } = now;
  const unchanged = { charge, recorded: [] };
  const decision = decideCharge(await stateOf(tx, now, fact), fact, tx.now);
  if (!decision) return unchanged;
  if (decision.unlessAsked && (await wasAsked(tx, charge.id, decision.unlessAsked)))
    return unchanged;
  return applyDecision(tx, now, decision, evidence);
}

/** The link is locked before anything is written to a charge that may pay it. */
async function stateOf(
  tx: Tx,
  { charge, captures }: ChargeNow,
  fact: ChargeFact,
): Promise<ChargeState> {
  const linkId = captureIn(fact) ? charge.payment_link_id : null;
  return {
    id: charge.id,
    status: charge.status,
    mode: charge.mode,
    amountKobo: charge.amount_kobo,
    refundedKobo: charge.refunded_kobo,
    currency: charge.currency,
    connectionId: charge.connection_id,
    settledAt: charge.settled_at,
    settlementId: charge.settlement_id,
    review: charge.review,
    link: linkId === null ? null : await lockLink(tx, linkId),
    captures,
  };
}

async function applyDecision(
  tx: Tx,
  { charge, captures, endpointIds }: ChargeNow,
  decision: ChargeDecision,
  evidence?: Evidence,
): Promise<AdvancedCharge | undefined> {
  const { effects } = decision;
  const written = await updateCharge(tx, charge, decision);
  const entries = effects.flatMap((effect) =>
    effect.type === 'append to timeline' ? effect.entry : [],
  );
  await appendTimeline(tx, charge, entries, evidence);
  for (const effect of effects) await applyEffect(tx, written, effect, endpointIds);
  if (effects.some(({ type }) => type === 'open review' || type === 'resolve review'))
    await refreshReview(tx, charge.id);
  const isKnown = effects.every((effect) => changesOnlyWhatIsReturned(effect, captures));
  const recorded = effects.flatMap((effect) => captureOf(effect, charge.id));
  return isKnown ? { charge: written, recorded } : undefined;
}

function changesOnlyWhatIsReturned(effect: ChargeEffect, captures: readonly KnownCapture[]) {
  if (effect.type === 'record capture') return captures.every(({ id }) => id !== effect.id);
  return ['append to timeline', 'publish', 'pay link'].includes(effect.type);
}

function captureOf(effect: ChargeEffect, chargeId: string): KnownCapture[] {
  if (effect.type !== 'record capture') return [];
  const { id, status, capture } = effect;
  const { connectionId, providerPaymentId, amountKobo, payerFeeKobo = 0, feeKobo } = capture;
  const payment = { connectionId, providerPaymentId, amountKobo, payerFeeKobo, feeKobo };
  return [{ id, chargeId, status, ...payment }];
}

async function applyEffect(
  tx: Tx,
  charge: ChargeRow,
  effect: ChargeEffect,
  endpointIds?: readonly string[],
): Promise<void> {
  switch (effect.type) {
    case 'record capture':
      return writeCapture(tx, charge.id, effect.capture, effect);
    case 'increase capture':
      return increaseCapture(tx, effect);
    case 'record capture fee':
      return writeCaptureFee(tx, effect.id, effect.feeKobo);
    case 'open review':
      return openReview(tx, charge, effect.review);
    case 'resolve review':
      return resolveReviews(tx, {
        chargeId: charge.id,
        captureId: effect.captureId,
        reasons: [effect.reason],
      });
    case 'return duplicate':
      return returnDuplicate(tx, charge, effect);
    case 'cancel refund requests':
      return cancelRequests(tx, charge, effect.reason);
    case 'count earlier refunds': {
      const sums = await refundedOf(tx.sql, charge.id);
      return advanceCharge(tx, charge.id, { type: 'refunded', ...sums });
    }
    case 'pay link':
      return payLink(tx, effect.linkId, charge.id);
    case 'watch attempts':
      return watchAfterFailure(tx, charge);
    case 'publish': {
      const { id, tenant_id: tenantId, mode } = charge;
      const event = { tenantId, mode, type: effect.event, subjectId: id };
      const known = effect.event === 'charge.succeeded' ? endpointIds : undefined;
      return publishEvent(tx, { ...event, data: transactionView(charge) }, known);
    }
    case 'append to timeline':
      return; // appended before, all in one statement
  }
}
