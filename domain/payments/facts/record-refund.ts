import { sha256Of } from '../../shared/sha256.ts';
import type { Tx } from '../../shared/tx.ts';
import { checkAllAttemptsNow } from '../attempt/store.ts';
import { markDuplicate } from '../capture/store.ts';
import type { ChargeRow } from '../charge/row.ts';
import { lockChargeOf, refreshReview } from '../charge/store.ts';
import { paymentOf } from '../dispute/find.ts';
import { postReturns } from '../posting/post-returns.ts';
import { decideRefund } from '../refund/decide.ts';
import type { RefundEffect, RefundFact } from '../refund/decision.ts';
import { findAnyRefund } from '../refund/find.ts';
import { publishRefund } from '../refund/publish.ts';
import type { RefundRow } from '../refund/row.ts';
import { cancelSecondRecord, updateRefund } from '../refund/store.ts';
import { leftOfCapture, refundedOf } from '../refund/sums.ts';
import { isSent } from '../refund/transitions.ts';
import { resolveReviews } from '../review/store.ts';
import { appendTimeline, type Evidence } from '../timeline/timeline.ts';
import { advanceCharge } from './advance-charge.ts';
import { flagMoneySentTwice } from './flag-money-sent-twice.ts';

/** Locks the charge, decides, and writes the decision with all its effects. Safe to repeat. */
export async function recordRefund(tx: Tx, refundId: string, fact: RefundFact): Promise<void> {
  const charge = await lockChargeOf(tx, 'refund', refundId);
  const refund = await findAnyRefund(tx.sql, refundId);
  const decision = decideRefund(refund, charge!.capture_id, fact, tx.now);
  const { effects } = decision;
  const evidence = evidenceOf(fact);
  // The second record holds the provider's id, which this refund is given now.
  let wasReturned = refund.status === 'completed';
  for (const effect of effects)
    if (effect.type === 'cancel second record')
      wasReturned = (await cancelSecondRecord(tx, refund, effect.providerRefundId)) || wasReturned;
  const written = await updateRefund(tx, refund, decision);
  const entries = effects.flatMap((effect) =>
    effect.type === 'append to timeline' ? effect.entry : [],
  );
  await appendTimeline(tx, charge!, entries, evidence);
  if (wasReturned || written.status === 'completed') await postReturns(tx, written.capture_id!);
  for (const effect of effects) await applyEffect(tx, charge!, written, effect, evidence);
  enqueueCheck(tx, written);
}

function evidenceOf(fact: RefundFact): Evidence | undefined {
  if (fact.type !== 'reported' && fact.type !== 'reversed') return undefined;
  const raw = fact.type === 'reported' ? fact.refund.raw : fact.raw;
  return { sha256: sha256Of(raw), payload: raw };
}

function enqueueCheck(
  { enqueue }: Tx,
  { id, status, due_at: dueAt, connection_id: group }: RefundRow,
): void {
  if (dueAt && isSent(status)) enqueue({ queue: 'refund-check', id, group: group!, dueAt });
}

async function applyEffect(
  tx: Tx,
  charge: ChargeRow,
  refund: RefundRow,
  effect: RefundEffect,
  evidence?: Evidence,
): Promise<void> {
  switch (effect.type) {
    case 'publish':
      return publishRefund(tx, effect.event, refund);
    case 'advance charge':
      return advanceCharge(tx, charge.id, effect.fact);
    case 'count refunds': {
      const sums = await refundedOf(tx.sql, charge.id);
      return advanceCharge(tx, charge.id, { type: 'refunded', ...sums }, evidence);
    }
    case 'count refunds less one': {
      const { captureId, amountKobo, detail } = effect;
      const { totalKobo } = await refundedOf(tx.sql, charge.id);
      const { hasLostDispute } = await paymentOf(tx.sql, captureId);
      const fact = { captureId, amountKobo, detail, totalKobo: hasLostDispute ? null : totalKobo };
      return advanceCharge(tx, charge.id, { type: 'refund came back', ...fact }, evidence);
    }
    case 'resolve reviews of returned payment':
      return resolveReturned(tx, charge.id, effect.captureId);
    case 'resolve review of return': {
      const { captureId } = effect;
      await resolveReviews(tx, { chargeId: charge.id, captureId, reasons: ['extra_capture'] });
      await refreshReview(tx, charge.id);
      return;
    }
    case 'ask providers':
      return checkAllAttemptsNow(tx, charge.id);
    case 'check for money sent twice':
      return flagMoneySentTwice(tx, charge.id, effect.captureId);
    case 'cancel second record':
    case 'append to timeline':
      return; // written before
  }
}

/** Once all of it went back, whoever sent it. One on hold pays its charge no more. */
async function resolveReturned(tx: Tx, chargeId: string, captureId: string): Promise<void> {
  if ((await leftOfCapture(tx.sql, captureId)) > 0) return;
  await markDuplicate(tx, captureId);
  const reasons = ['extra_capture', 'underpaid', 'overpaid', 'capture_mismatch'] as const;
  await resolveReviews(tx, { chargeId, captureId, reasons });
  await refreshReview(tx, chargeId);
}
