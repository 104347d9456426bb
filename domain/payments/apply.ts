import type { Job } from '../jobs.ts';
import type { Tx } from '../shared/tx.ts';
import { publishEvent } from '../webhooks/event/publish.ts';
import { watchAfterFailure } from './attempt/store.ts';
import { findCaptures, increaseCapture, writeCapture, writeCaptureFee } from './capture/store.ts';
import { decideCharge } from './charge/decide.ts';
import type { ChargeDecision, ChargeEffect, ChargeState } from './charge/decision.ts';
import { type ChargeFact, captureIn } from './charge/facts.ts';
import { type ChargeRow, transactionView } from './charge/row.ts';
import { lockCharge, refreshReview, updateCharge } from './charge/store.ts';
import { lockLink, payLink } from './payment-link/pay-link.ts';
import { cancelRequests } from './refund/cancel-requests.ts';
import { refundedOf } from './refund/sums.ts';
import { openSystemRefund } from './refund/system.ts';
import { openReview, resolveReviews, wasAsked } from './review/store.ts';
import { appendTimeline, type Evidence } from './timeline/timeline.ts';

/**
 * Records a fact about a charge: locks the row, decides, and writes the decision with all its
 * effects together. A fact reported again changes nothing. Returns the jobs to enqueue after the
 * commit. The only place a charge's status is written.
 */
export async function advanceCharge(
  tx: Tx,
  chargeId: string,
  fact: ChargeFact,
  evidence?: Evidence,
): Promise<Job[]> {
  const charge = await lockCharge(tx, chargeId);
  const decision = decideCharge(await stateOf(tx, charge, fact), fact, tx.now);
  if (!decision) return [];
  if (decision.unlessAsked && (await wasAsked(tx, chargeId, decision.unlessAsked))) return [];
  return applyDecision(tx, charge, decision, evidence);
}

/** The link is locked before anything is written to a charge that may pay it. */
async function stateOf(tx: Tx, charge: ChargeRow, fact: ChargeFact): Promise<ChargeState> {
  const stated = captureIn(fact);
  const linkId = stated ? charge.payment_link_id : null;
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
    captures: await findCaptures(tx, charge.id, stated),
  };
}

async function applyDecision(
  tx: Tx,
  charge: ChargeRow,
  decision: ChargeDecision,
  evidence?: Evidence,
): Promise<Job[]> {
  const { effects } = decision;
  const written = await updateCharge(tx.sql, charge, decision);
  const entries = effects.flatMap((effect) =>
    effect.type === 'append to timeline' ? effect.entry : [],
  );
  await appendTimeline(tx, charge, entries, evidence);
  const jobs: Job[] = [];
  for (const effect of effects) jobs.push(...(await applyEffect(tx, written, effect)));
  if (effects.some(({ type }) => type === 'open review' || type === 'resolve review'))
    await refreshReview(tx, charge.id);
  return jobs;
}

async function applyEffect(tx: Tx, charge: ChargeRow, effect: ChargeEffect): Promise<Job[]> {
  switch (effect.type) {
    case 'record capture':
      await writeCapture(tx, charge.id, effect.capture, effect);
      return [];
    case 'increase capture':
      await increaseCapture(tx, effect.id, effect.amountKobo);
      return [];
    case 'record capture fee':
      await writeCaptureFee(tx, effect.id, effect.feeKobo);
      return [];
    case 'open review':
      await openReview(tx, charge, effect.review);
      return [];
    case 'resolve review':
      await resolveReviews(tx, {
        chargeId: charge.id,
        captureId: effect.captureId,
        reasons: [effect.reason],
      });
      return [];
    case 'open system refund':
      return openSystemRefund(tx, charge, effect);
    case 'cancel refund requests':
      await cancelRequests(tx, charge, effect.reason);
      return [];
    case 'count earlier refunds': {
      const sums = await refundedOf(tx.sql, charge.id);
      return advanceCharge(tx, charge.id, { type: 'refunded', ...sums });
    }
    case 'pay link':
      await payLink(tx, effect.linkId, charge.id);
      return [];
    case 'watch attempts':
      return watchAfterFailure(tx, charge);
    case 'publish':
      return publishEvent(tx, {
        tenantId: charge.tenant_id,
        mode: charge.mode,
        type: effect.event,
        subjectId: charge.id,
        data: transactionView(charge),
      });
    case 'append to timeline':
      return []; // appended before, all in one statement
  }
}
