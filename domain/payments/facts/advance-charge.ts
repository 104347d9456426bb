import { writeReceipt } from '../../mail/write-mail.ts';
import type { Tx } from '../../shared/tx.ts';
import { publishEvent } from '../../webhooks/event/publish.ts';
import { watchAfterFailure } from '../attempt/store.ts';
import type { RecordedCapture, StatedCapture } from '../capture/capture.ts';
import { findCaptures, increaseCapture, writeCapture, writeCaptureFee } from '../capture/store.ts';
import { decideCharge } from '../charge/decide.ts';
import type { ChargeDecision, ChargeEffect, ChargeState, EndpointIds } from '../charge/decision.ts';
import { type ChargeFact, captureIn } from '../charge/facts.ts';
import { type ChargeRow, transactionView } from '../charge/row.ts';
import { lockCharge, refreshReview, updateCharge } from '../charge/store.ts';
import { lockLink, payLink } from '../payment-link/pay-link.ts';
import { postCaptures } from '../posting/post-captures.ts';
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
  await advanceLocked(tx, await lockChargeNow(tx, chargeId, captureIn(fact)), fact, evidence);
}

export interface ChargeNow {
  charge: ChargeRow;
  /** And the reported one where another charge has it. */
  captures: readonly RecordedCapture[];
  endpointIds?: EndpointIds;
}

export async function lockChargeNow(
  tx: Tx,
  chargeId: string,
  stated?: StatedCapture,
): Promise<ChargeNow> {
  const charge = await lockCharge(tx, chargeId);
  return { charge, captures: await findCaptures(tx, chargeId, stated) };
}

/** For a locked charge. Returns what it is after it. */
export async function advanceLocked<Now extends ChargeNow>(
  tx: Tx,
  now: Now,
  fact: ChargeFact,
  evidence?: Evidence,
): Promise<Now> {
  const decision = decideCharge(await stateOf(tx, now, fact), fact, tx.now);
  if (!decision) return now;
  const { unlessAsked } = decision;
  if (unlessAsked && (await wasAsked(tx, now.charge.id, unlessAsked))) return now;
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
    retrying: charge.retrying,
    link: linkId === null ? null : await lockLink(tx, linkId),
    captures,
  };
}

async function applyDecision<Now extends ChargeNow>(
  tx: Tx,
  before: Now,
  decision: ChargeDecision,
  evidence?: Evidence,
): Promise<Now> {
  const { effects } = decision;
  const charge = await updateCharge(tx, before.charge, decision);
  const entries = effects.flatMap((effect) =>
    effect.type === 'append to timeline' ? effect.entry : [],
  );
  await appendTimeline(tx, charge, entries, evidence);
  for (const effect of effects) await applyEffect(tx, charge, effect, before.endpointIds);
  const has = (...types: ChargeEffect['type'][]) =>
    effects.some(({ type }) => types.includes(type));
  const hasNewReview = has('open review', 'resolve review');
  const review = hasNewReview ? await refreshReview(tx, charge.id) : charge.review;
  const captures = effects.reduce(
    (known, effect) =>
      capturesAfter(known, effect, { chargeId: charge.id, keptKobo: 0, recordedAt: tx.now }),
    before.captures,
  );
  await postCaptures(tx, charge, before.captures, captures);
  const now = { ...before, charge: { ...charge, review }, captures };
  if (!has('count earlier refunds')) return now;
  return advanceLocked(tx, now, { type: 'refunded', ...(await refundedOf(tx.sql, charge.id)) });
}

function capturesAfter(
  captures: readonly RecordedCapture[],
  effect: ChargeEffect,
  recorded: { chargeId: string; keptKobo: number; recordedAt: Date },
): readonly RecordedCapture[] {
  switch (effect.type) {
    case 'record capture': {
      const { id, status, capture } = effect;
      const { connectionId, providerPaymentId, attemptId, currency } = capture;
      const { amountKobo, payerFeeKobo = 0, feeKobo, capturedAt } = capture;
      const payment = { connectionId, providerPaymentId, amountKobo, payerFeeKobo, feeKobo };
      const before = captures.find((one) => one.id === id);
      const own = { ...recorded, attemptId, currency, ...before };
      const after = { ...own, id, status, ...payment, capturedAt };
      return [...captures.filter((one) => one !== before), after];
    }
    case 'increase capture': {
      const { id, amountKobo, payerFeeKobo } = effect;
      return captures.map((one) => (one.id === id ? { ...one, amountKobo, payerFeeKobo } : one));
    }
    case 'record capture fee': {
      const { id, feeKobo } = effect;
      return captures.map((one) => (one.id === id ? { ...one, feeKobo } : one));
    }
    default:
      return captures;
  }
}

async function applyEffect(
  tx: Tx,
  charge: ChargeRow,
  effect: ChargeEffect,
  endpointIds?: EndpointIds,
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
    case 'pay link':
      return payLink(tx, effect.linkId, charge.id);
    case 'watch attempts':
      return watchAfterFailure(tx, charge);
    case 'publish': {
      const { id, tenant_id: tenantId, mode } = charge;
      const event = { tenantId, mode, type: effect.event, subjectId: id };
      if (effect.event === 'charge.succeeded') await writeReceipt(tx, charge);
      const data = transactionView(charge);
      return publishEvent(tx, { ...event, data }, endpointIds?.[effect.event]);
    }
    case 'append to timeline':
    case 'count earlier refunds':
      return; // all entries in one statement before, the refunds after all else
  }
}
