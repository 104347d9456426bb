import type { ProviderDispute } from '../../providers/port/dispute.ts';
import { newId } from '../../shared/ids.ts';
import { CURRENCY } from '../../shared/money.ts';
import { sha256Of } from '../../shared/sha256.ts';
import type { Tx } from '../../shared/tx.ts';
import { publishEvent } from '../../webhooks/event/publish.ts';
import { returnableOf } from '../capture/capture.ts';
import { findCaptures } from '../capture/store.ts';
import { lockChargeOfPayment } from '../charge/store.ts';
import { type DisputeEffect, decideDispute, endOf } from '../dispute/decide.ts';
import { findReported, hasOpenDispute } from '../dispute/find.ts';
import {
  type DisputedPayment,
  type DisputeReport,
  type DisputeRow,
  disputeView,
} from '../dispute/row.ts';
import { writeDispute } from '../dispute/store.ts';
import { postDispute } from '../posting/post-dispute.ts';
import { reversedOf } from '../refund/made-there.ts';
import { appendTimeline, type Evidence } from '../timeline/timeline.ts';
import { advanceCharge } from './advance-charge.ts';
import { flagMoneySentTwice } from './flag-money-sent-twice.ts';

/**
 * A repeated or late report changes nothing; an unknown payment belongs to the merchant's other
 * business.
 */
export async function recordDispute(tx: Tx, connectionId: string, dispute: ProviderDispute) {
  const payment = await lockPayment(tx, connectionId, dispute.providerPaymentId);
  if (!payment) return;
  const evidence = { sha256: sha256Of(dispute.raw), payload: dispute.raw };
  const { state, status, providerDisputeId } = dispute;
  if (state === 'unknown') {
    const fact = { type: 'unclear', words: `dispute status "${status}"` } as const;
    return advanceCharge(tx, payment.charge.id, fact, evidence);
  }
  const isLost = dispute.isReversed === true;
  const ending = isLost ? 'lost' : 'won';
  const reported = { providerDisputeId, state: state === 'closed' ? ending : state };
  const known = await findReported(tx.sql, payment, reported);
  const report = { ...dispute, state: state === 'closed' ? endOf(known?.status, isLost) : state };
  await moveDispute(tx, payment, known, report, { evidence });
}

/** The charge must be locked. `note`: an operator's. */
export async function moveDispute(
  tx: Tx,
  payment: DisputedPayment,
  known: DisputeRow | undefined,
  report: DisputeReport,
  { evidence, note }: { evidence?: Evidence; note?: string } = {},
): Promise<DisputeRow> {
  const id = known?.id ?? newId('dsp', tx.now);
  const { captureId, isApplied, charge } = payment;
  const amountKobo = known?.amount_kobo ?? report.amountKobo ?? payment.amountKobo;
  const state = {
    id,
    status: known?.status,
    captureId,
    amountKobo,
    isApplied,
    chargeStatus: charge.status,
    hasOtherOpen: await hasOpenDispute(tx.sql, captureId, id),
    isReversed: (await reversedOf(tx.sql, captureId)) >= amountKobo,
  };
  const { status, effects } = decideDispute(state, report.state, note);
  const dispute = await writeDispute(tx, payment, known, { id, status, report });
  if (payment.currency === CURRENCY) await postDispute(tx, known, dispute);
  for (const effect of effects) await applyEffect(tx, payment.charge, dispute, effect, evidence);
  return dispute;
}

async function applyEffect(
  tx: Tx,
  charge: DisputedPayment['charge'],
  dispute: DisputeRow,
  effect: DisputeEffect,
  evidence?: Evidence,
): Promise<void> {
  switch (effect.type) {
    case 'append to timeline':
      return appendTimeline(tx, charge, [effect.entry], evidence);
    case 'advance charge':
      return advanceCharge(tx, charge.id, effect.fact, evidence);
    case 'publish':
      return publishEvent(tx, {
        tenantId: charge.tenant_id,
        mode: charge.mode,
        type: effect.event,
        subjectId: dispute.id,
        data: disputeView(dispute, charge.number),
      });
    case 'check for money sent twice':
      return flagMoneySentTwice(tx, charge.id, effect.captureId);
  }
}

async function lockPayment(
  tx: Tx,
  connectionId: string,
  providerPaymentId: string,
): Promise<DisputedPayment | undefined> {
  const charge = await lockChargeOfPayment(tx, { connectionId, providerPaymentId });
  if (!charge) return undefined;
  const captures = await findCaptures(tx, charge.id);
  const capture = captures.find(
    (known) => known.connectionId === connectionId && known.providerPaymentId === providerPaymentId,
  )!;
  const isApplied = capture.status === 'applied';
  const amountKobo = returnableOf(capture, isApplied);
  const { id: captureId, currency } = capture;
  return { charge, captureId, connectionId, amountKobo, currency, isApplied };
}
