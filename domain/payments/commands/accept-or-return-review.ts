import { type Actor, recordChange } from '../../accounts/audit-log/record-change.ts';
import { Problem } from '../../shared/problems.ts';
import type { Tx } from '../../shared/tx.ts';
import { checkAllAttemptsNow } from '../attempt/store.ts';
import { findCaptures, keepOfCapture, markDuplicate, readCapture } from '../capture/store.ts';
import type { ChargeRow } from '../charge/row.ts';
import { lockChargeOf, refreshReview } from '../charge/store.ts';
import { advanceCharge } from '../facts/advance-charge.ts';
import { recordRefund } from '../facts/record-refund.ts';
import { postCaptures } from '../posting/post-captures.ts';
import { approvalOfReturn, mailSecondOwners, type Return } from '../refund/approve-return.ts';
import type { RefundSource } from '../refund/row.ts';
import { sumReturns } from '../refund/sums.ts';
import { openSystemRefund } from '../refund/system.ts';
import { decideReview, type ReviewEffect, type ReviewState } from '../review/decide.ts';
import { findReview, noSuchReview } from '../review/find.ts';
import type { ReviewRow } from '../review/row.ts';
import { writeFirstReturn, writeReviewDecision } from '../review/store.ts';
import type { ReviewDecision } from '../review/transitions.ts';
import { appendTimeline } from '../timeline/timeline.ts';

export interface DecidedReview {
  id: string;
  decision: ReviewDecision;
  /** Only of what was returned outside of this service. */
  paidFrom?: RefundSource | undefined;
  note: string | null;
}

/**
 * Writes a decision and what follows from it, or the word of the first of two Owners where the
 * business wants two for money that goes back. Throws `not_found`, `forbidden` where others have to
 * decide, and `invalid_state` with the reason where the review was decided before or the decision
 * is not possible.
 */
export async function acceptOrReturnReview(tx: Tx, actor: Actor, decided: DecidedReview) {
  const { id, decision } = decided;
  const charge = await lockChargeOf(tx, 'review', id);
  if (!charge) throw noSuchReview();
  const review = await findReview(tx.sql, actor, id);
  const outcome = decideReview(await stateOf(tx, charge, review), decision);
  if ('refusal' in outcome) throw new Problem('invalid_state', outcome.refusal);
  const decidedBy = actor.memberId ?? actor.subjectId;
  const sent = decided.paidFrom ? undefined : returnIn(review, outcome.effects);
  const { approval, refusal } = sent ? await approvalOfReturn(tx.sql, actor, sent) : APPROVED;
  if (refusal) throw refusal;
  if (approval === 'first of two') {
    await writeFirstReturn(tx, id, decidedBy);
    await recordDecision(tx, actor, charge, review, decided, 'first_approved');
    await mailSecondOwners(tx, actor, id);
    return findReview(tx.sql, actor, id);
  }
  for (const effect of outcome.effects) await applyEffect(tx, charge, effect, decided);
  await writeReviewDecision(tx, id, { decision, decidedBy });
  await refreshReview(tx, charge.id);
  await recordDecision(tx, actor, charge, review, decided);
  return findReview(tx.sql, actor, id);
}

const APPROVED = { approval: 'approved', refusal: undefined } as const;

/** What is sent back; undefined: nothing. */
export function returnIn(
  { id, first_approved_by: firstApprovedBy }: ReviewRow,
  effects: readonly ReviewEffect[],
): Return | undefined {
  const sent = effects.find((effect) => effect.type === 'open system refund');
  return sent && { of: 'reviews', id, amountKobo: sent.amountKobo, firstApprovedBy };
}

export async function stateOf(
  { sql }: Pick<Tx, 'sql'>,
  charge: ChargeRow,
  { reason, status, ...review }: ReviewRow,
): Promise<ReviewState> {
  const payment = review.payment && {
    id: review.capture_id!,
    returns: await sumReturns(sql, review.capture_id!),
    status: review.payment.status,
    amountKobo: review.payment.amount_kobo,
    payerFeeKobo: review.payment.payer_fee_kobo,
    keptKobo: review.payment.kept_kobo,
    currency: review.payment.currency,
  };
  return {
    reason,
    status,
    amountKobo: review.amount_kobo,
    charge: {
      status: charge.status,
      amountKobo: charge.amount_kobo,
      refundedKobo: charge.refunded_kobo,
      currency: charge.currency,
      hasAppliedCapture: charge.capture_id !== null,
    },
    payment,
  };
}

async function applyEffect(
  tx: Tx,
  charge: ChargeRow,
  effect: ReviewEffect,
  { paidFrom: from }: DecidedReview,
): Promise<void> {
  switch (effect.type) {
    case 'apply capture': {
      const capture = await readCapture(tx, effect.captureId);
      return advanceCharge(tx, charge.id, { type: 'accepted', capture });
    }
    case 'keep payment':
      return keepPayment(tx, charge, effect);
    case 'mark capture duplicate':
      return markDuplicate(tx, effect.captureId);
    case 'open system refund': {
      const id = await openSystemRefund(tx, charge, effect);
      if (from) await recordRefund(tx, id, { type: 'returned outside', from });
      return;
    }
    case 'ask providers':
      return checkAllAttemptsNow(tx, charge.id);
  }
}

async function keepPayment(
  tx: Tx,
  charge: ChargeRow,
  { captureId, amountKobo }: { captureId: string; amountKobo: number },
): Promise<void> {
  const before = await findCaptures(tx, charge.id);
  await keepOfCapture(tx, captureId, amountKobo);
  const after = before.map((capture) =>
    capture.id === captureId ? { ...capture, keptKobo: capture.keptKobo + amountKobo } : capture,
  );
  await postCaptures(tx, charge, before, after);
}

async function recordDecision(
  tx: Tx,
  actor: Actor,
  charge: ChargeRow,
  review: ReviewRow,
  decided: DecidedReview,
  step: ReviewDecision | 'first_approved' = decided.decision,
): Promise<void> {
  const { note } = decided;
  const what = `review.${step}`;
  const said = note === null ? [] : [`Note: ${note}`];
  const detail = [
    `${step === 'first_approved' ? FIRST_APPROVED : wordsOf(decided)} (${review.id}): ${review.detail}`,
    ...said,
  ].join(' ');
  await appendTimeline(tx, charge, [
    { what, detail, ...(review.amount_kobo === null ? {} : { amountKobo: review.amount_kobo }) },
  ]);
  await recordChange(
    tx,
    actor,
    what,
    review.id,
    [`${review.reason} of SV-${charge.number}`, ...(note === null ? [] : [note])].join(': '),
  );
}

const FIRST_APPROVED = 'The first of two Owners approved that it goes back';

function wordsOf({ decision, paidFrom }: DecidedReview): string {
  if (decision === 'accepted') return 'Accepted';
  return paidFrom ? `Returned outside of this service, from the ${sources[paidFrom]}` : 'Returned';
}

const sources: Record<RefundSource, string> = {
  provider: 'account at the provider',
  bank: 'bank account of the business',
};
