import type { Job } from '../jobs.ts';
import { sha256Of } from '../shared/sha256.ts';
import type { Tx } from '../shared/tx.ts';
import { publishEvent } from '../webhooks/event/publish.ts';
import { advanceCharge } from './apply.ts';
import type { ChargeRow } from './charge/row.ts';
import { lockChargeOf, refreshReview } from './charge/store.ts';
import { flagMoneySentTwice } from './flag-money-sent-twice.ts';
import { decideRefund } from './refund/decide.ts';
import type { RefundEffect, RefundFact } from './refund/decision.ts';
import { findAnyRefund } from './refund/find.ts';
import { type RefundRow, refundView } from './refund/row.ts';
import { cancelSecondRecord, updateRefund } from './refund/store.ts';
import { leftOfCapture, refundedOf } from './refund/sums.ts';
import { isSent } from './refund/transitions.ts';
import { resolveReviews } from './review/store.ts';
import { appendTimeline, type Evidence } from './timeline/timeline.ts';

/**
 * Records a fact about a refund: locks its charge, decides, and writes the decision with
 * all its effects together. Safe to repeat. Returns the jobs to enqueue after the commit.
 */
export async function recordRefund(tx: Tx, refundId: string, fact: RefundFact): Promise<Job[]> {
  const charge = await lockChargeOf(tx, 'refund', refundId);
  const refund = await findAnyRefund(tx.sql, refundId);
  const decision = decideRefund(refund, charge!.capture_id, fact, tx.now);
  const { effects } = decision;
  const evidence = evidenceOf(fact);
  // The second record holds the provider's id, which this refund is given now.
  for (const effect of effects)
    if (effect.type === 'cancel second record')
      await cancelSecondRecord(tx, refund, effect.providerRefundId);
  const written = await updateRefund(tx, refund, decision);
  const entries = effects.flatMap((effect) =>
    effect.type === 'append to timeline' ? effect.entry : [],
  );
  await appendTimeline(tx, charge!, entries, evidence);
  const jobs: Job[] = [];
  for (const effect of effects)
    jobs.push(...(await applyEffect(tx, charge!, written, effect, evidence)));
  return [...jobs, ...checkOf(written)];
}

function evidenceOf(fact: RefundFact): Evidence | undefined {
  if (fact.type !== 'reported') return undefined;
  const { raw } = fact.refund;
  return { sha256: sha256Of(raw), payload: raw };
}

/** The job that asks the provider about it next. */
function checkOf({ id, tries, status, due_at: dueAt, connection_id: group }: RefundRow): Job[] {
  return dueAt && isSent(status)
    ? [{ queue: 'refund-check', id, tries, group: group!, dueAt }]
    : [];
}

async function applyEffect(
  tx: Tx,
  charge: ChargeRow,
  refund: RefundRow,
  effect: RefundEffect,
  evidence?: Evidence,
): Promise<Job[]> {
  switch (effect.type) {
    case 'publish':
      return publishEvent(tx, {
        tenantId: refund.tenant_id,
        mode: refund.mode,
        type: effect.event,
        subjectId: refund.id,
        data: refundView(refund),
      });
    case 'advance charge':
      return advanceCharge(tx, charge.id, effect.fact);
    case 'count refunds': {
      const sums = await refundedOf(tx.sql, charge.id);
      return advanceCharge(tx, charge.id, { type: 'refunded', ...sums }, evidence);
    }
    case 'resolve reviews of returned payment':
      await resolveReturned(tx, charge.id, effect.captureId);
      return [];
    case 'resolve review of return': {
      const { captureId } = effect;
      await resolveReviews(tx, { chargeId: charge.id, captureId, reasons: ['extra_capture'] });
      await refreshReview(tx, charge.id);
      return [];
    }
    case 'check for money sent twice':
      return flagMoneySentTwice(tx, charge.id, effect.captureId);
    case 'cancel second record':
    case 'append to timeline':
      return []; // written before
  }
}

/**
 * Resolves the reviews of a payment that is not the charge's once all of it went back, whoever sent
 * it.
 */
async function resolveReturned(tx: Tx, chargeId: string, captureId: string): Promise<void> {
  if ((await leftOfCapture(tx.sql, captureId)) > 0) return;
  const reasons = ['extra_capture', 'underpaid', 'capture_mismatch'] as const;
  await resolveReviews(tx, { chargeId, captureId, reasons });
  await refreshReview(tx, chargeId);
}
