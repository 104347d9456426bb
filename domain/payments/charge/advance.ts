import type { Job } from '../../jobs.ts';
import { formatNaira } from '../../shared/money.ts';
import type { Tx } from '../../shared/tx.ts';
import { publishEvent } from '../../webhooks/event/publish.ts';
import { firstCheckAfterFailure } from '../attempt/schedule.ts';
import {
  findCapture,
  growCapture,
  hasGrown,
  type KnownCapture,
  takeOverFee,
  writeCapture,
} from '../capture/captures.ts';
import { lockLink, payLink } from '../payment-link/pay.ts';
import { cancelRequests } from '../refund/cancel.ts';
import { refundedOf } from '../refund/gone.ts';
import { openSystemRefund } from '../refund/system.ts';
import { openReview, type Question, resolveReviews, wasAsked } from '../review/open.ts';
import { appendTimeline, type Entry } from '../timeline/timeline.ts';
import { decideCharge } from './decide.ts';
import type { CaptureFact, ChargeFact, Evidence } from './facts.ts';
import { type ChargeRow, transactionView } from './row.ts';
import {
  type ChargeState,
  type ChargeStatus,
  type Decision,
  type ReviewReason,
  stay,
} from './transitions.ts';

/**
 * Records a fact about a charge: locks the row, decides, writes the change, its timeline, its event and its deliveries together. A fact
 * reported again changes nothing. Returns the jobs to enqueue after the commit. The only place a charge's status is written.
 */
export async function advanceCharge(
  tx: Tx,
  chargeId: string,
  fact: ChargeFact,
  evidence?: Evidence,
): Promise<Job[]> {
  const charge = await lockCharge(tx, chargeId);
  const payment = paymentIn(fact);
  if (payment && charge.payment_link_id !== null) await lockLink(tx, charge.payment_link_id);
  let wasHeld = fact.type === 'accepted';
  if (fact.type === 'captured') {
    const known = await findCapture(tx, fact);
    if (known && known.charge_id !== chargeId)
      return claimedElsewhere(tx, charge, fact, known, evidence);
    if (known && !hasGrown(known, fact)) {
      await takeOverFee(tx, charge, known, fact, evidence);
      return [];
    }
    if (known && known.status !== 'on_hold') return recordGrowth(tx, charge, known, fact, evidence);
    // A held payment that has grown is judged anew, so its old verdict goes first.
    if (known)
      charge.review = await resolveReviews(tx, {
        chargeId,
        captureId: known.id,
        reason: 'underpaid',
      });
    wasHeld = known !== undefined;
  }
  const decision = decideCharge(stateOf(charge), fact);
  if (!decision) return [];
  const jobs = await write(tx, charge, decision, fact, evidence);
  // Of a payment that was held, some may have gone back before it became the charge's own.
  if (!wasHeld || decision.captureStatus !== 'applied') return jobs;
  return [
    ...jobs,
    ...(await advanceCharge(tx, chargeId, {
      type: 'refunded',
      ...(await refundedOf(tx.sql, chargeId)),
    })),
  ];
}

/** The payment a fact brings to the charge. */
function paymentIn(fact: ChargeFact): CaptureFact | undefined {
  if (fact.type === 'accepted') return fact.capture;
  return fact.type === 'captured' ? fact : undefined;
}

/** One payment cannot pay two charges: it stays the first one's, and a person looks at the second. */
async function claimedElsewhere(
  tx: Tx,
  charge: LockedCharge,
  fact: CaptureFact,
  known: KnownCapture,
  evidence?: Evidence,
): Promise<Job[]> {
  const detail = `The provider's payment ${fact.providerPaymentId} already belongs to ${known.charge_id}.`;
  return write(
    tx,
    charge,
    stay({}, 'capture_mismatch', detail, ['capture_mismatch']),
    fact,
    evidence,
  );
}

/** A payment that was decided on keeps its place, at what it is by now. */
async function recordGrowth(
  tx: Tx,
  charge: LockedCharge,
  known: KnownCapture,
  { amountKobo }: CaptureFact,
  evidence?: Evidence,
): Promise<Job[]> {
  await growCapture(tx, known.id, amountKobo);
  const fact: ChargeFact = {
    type: 'grown',
    captureId: known.id,
    isOwn: known.status === 'applied',
    amountKobo,
  };
  return write(tx, charge, decideCharge(stateOf(charge), fact)!, fact, evidence);
}

async function write(
  tx: Tx,
  charge: LockedCharge,
  decided: Decision,
  fact: ChargeFact,
  evidence?: Evidence,
): Promise<Job[]> {
  if (await isRepeated(tx, charge, decided)) return [];
  const { captureStatus, event } = decided;
  const payment = paymentIn(fact);
  const captureId =
    payment && captureStatus ? await writeCapture(tx, charge, payment, captureStatus) : null;
  const subject = subjectOf(fact, captureId);
  const decision =
    event === 'charge.succeeded' ? await tellLink(tx, charge, decided, subject) : decided;
  for (const reason of decided.review)
    await openReview(tx, charge, questionOf(charge, decided, reason, subject));
  const next = await writeCharge(
    tx,
    charge,
    decision,
    captureStatus === 'applied' ? captureId : null,
  );
  await appendTimeline(tx, charge, entriesOf(decision, fact), evidence);
  const checks =
    next.status === 'failed' && charge.status !== 'failed'
      ? await watchAfterFailure(tx, charge.id)
      : [];
  if (next.status === 'refunded' && charge.status !== 'refunded') await cancelRequests(tx, charge);
  if (captureStatus === 'duplicate')
    checks.push(...(await sendBack(tx, charge, captureId!, payment!)));
  if (event === undefined) return checks;
  const { tenant_id: tenantId, mode } = charge;
  return [
    ...checks,
    ...(await publishEvent(tx, {
      tenantId,
      mode,
      type: event,
      subjectId: charge.id,
      data: transactionView(next),
    })),
  ];
}

/** What a question to a person is about. */
type Subject = Pick<Question, 'captureId' | 'amountKobo'>;

function subjectOf(fact: ChargeFact, captureId: string | null): Subject {
  if ('captureId' in fact) return { captureId: fact.captureId, amountKobo: fact.amountKobo };
  return { captureId, amountKobo: paymentIn(fact)?.amountKobo ?? null };
}

/** Of a payment that is too much, only the excess is in question. */
function questionOf(
  charge: LockedCharge,
  { note }: Decision,
  reason: ReviewReason,
  { captureId, amountKobo }: Subject,
): Question {
  const inQuestion =
    reason === 'overpaid' && amountKobo !== null ? amountKobo - charge.amount_kobo : amountKobo;
  return { reason, detail: note!.detail, captureId, amountKobo: inQuestion };
}

/** Words a provider repeats with every answer are asked about once, whatever a person decided on them. */
async function isRepeated(
  tx: Tx,
  charge: LockedCharge,
  { review, captureStatus, note }: Decision,
): Promise<boolean> {
  const [reason] = review;
  if (reason === undefined || captureStatus !== undefined || reason === 'extra_capture')
    return false;
  return wasAsked(tx, charge.id, { reason, detail: note!.detail });
}

/** The first payment of a link is the link's. Money that comes after it is this charge's all the same, and a person looks at it. */
async function tellLink(
  tx: Tx,
  charge: LockedCharge,
  decision: Decision,
  subject: Subject,
): Promise<Decision> {
  if (charge.payment_link_id === null) return decision;
  const paidBy = await payLink(tx, charge.payment_link_id, charge.id);
  if (paidBy === charge.id) return decision;
  const detail = `The payment link was paid by ${paidBy} before; this payment came on top of it and is in review.`;
  await appendTimeline(tx, charge, [{ what: 'charge.link_paid_before', detail }]);
  await openReview(tx, charge, { reason: 'link_paid_before', detail, ...subject });
  return { ...decision, review: [...decision.review, 'link_paid_before'] };
}

interface LockedCharge extends ChargeRow {
  capture_id: string | null;
  /** What its own capture is; null while there is none. */
  paid_kobo: number | null;
}

async function lockCharge({ sql }: Tx, chargeId: string): Promise<LockedCharge> {
  const [charge] = await sql.query<LockedCharge>(
    'select *, (select amount_kobo from captures where id = charges.capture_id) as paid_kobo from charges where id = $1 for update',
    [chargeId],
  );
  if (!charge) throw new Error(`No charge ${chargeId}.`);
  return charge;
}

function stateOf(charge: LockedCharge): ChargeState {
  return {
    status: charge.status,
    mode: charge.mode,
    amountKobo: charge.amount_kobo,
    refundedKobo: charge.refunded_kobo,
    currency: charge.currency,
    connectionId: charge.connection_id,
    settledAt: charge.settled_at,
    settlementId: charge.settlement_id,
    review: charge.review,
    hasAppliedCapture: charge.capture_id !== null,
    paidKobo: charge.paid_kobo ?? charge.amount_kobo,
  };
}

async function writeCharge(
  { sql, now }: Tx,
  charge: LockedCharge,
  decision: Decision,
  captureId: string | null,
): Promise<ChargeRow> {
  const { patch } = decision;
  const status = decision.moves.at(-1) ?? charge.status;
  const [written] = await sql.query<ChargeRow>(
    `update charges set status = $2, fee_kobo = $3, refunded_kobo = $4, channel = $5, provider_reference = $6, slot = $7,
       connection_id = $8, failure_message = $9, failure_cause = $10, occurred_at = $11, settled_at = $12, settlement_id = $13,
       recovered = $14, review = $15, failed_at = $16, capture_id = $17
     where id = $1 returning *`,
    [
      charge.id,
      status,
      patch.feeKobo ?? charge.fee_kobo,
      patch.refundedKobo ?? charge.refunded_kobo,
      patch.channel ?? charge.channel,
      patch.providerReference ?? charge.provider_reference,
      patch.slot ?? charge.slot,
      patch.connectionId ?? charge.connection_id,
      patch.failureMessage === undefined ? charge.failure_message : patch.failureMessage,
      patch.failureCause === undefined ? charge.failure_cause : patch.failureCause,
      patch.occurredAt ?? charge.occurred_at,
      patch.settledAt ?? charge.settled_at,
      patch.settlementId ?? charge.settlement_id,
      patch.recovered ?? charge.recovered,
      [...new Set([...charge.review, ...decision.review])],
      status === 'failed' ? (charge.failed_at ?? now) : null,
      captureId ?? charge.capture_id,
    ],
  );
  return written!;
}

function entriesOf({ note, moves }: Decision, fact: ChargeFact): Entry[] {
  const payment = paymentIn(fact);
  const about = payment ? { amountKobo: payment.amountKobo, attemptId: payment.attemptId } : {};
  const lines = moves.map((status) => ({
    what: `charge.${status}`,
    detail: sentenceOf(status, fact),
  }));
  return [...(note ? [note] : []), ...lines].map((line) => ({ ...line, ...about }));
}

function sentenceOf(status: ChargeStatus, fact: ChargeFact): string | null {
  if ('message' in fact) return fact.message;
  const payment = paymentIn(fact);
  if (payment && status === 'succeeded')
    return `${formatNaira(payment.amountKobo)} was paid by ${payment.channel.replace('_', ' ')}.`;
  if (fact.type === 'settled') return `Paid out with settlement ${fact.settlementId}.`;
  return status === 'pending' ? 'The provider opened the payment.' : null;
}

/** Money on top of the charge's own is the payer's. */
function sendBack(
  tx: Tx,
  charge: LockedCharge,
  captureId: string,
  { amountKobo }: CaptureFact,
): Promise<Job[]> {
  return openSystemRefund(tx, {
    charge,
    captureId,
    paidKobo: amountKobo,
    excessKobo: amountKobo,
    reason: 'It was paid a second time.',
  });
}

/** Late money may still come on every attempt a provider may know of. */
async function watchAfterFailure({ sql, now }: Tx, chargeId: string): Promise<Job[]> {
  const dueAt = firstCheckAfterFailure(now);
  const rows = await sql.query<{ id: string; tries: number }>(
    `update attempts set due_at = $2, enqueues = 0, enqueued_at = null
     where charge_id = $1 and status in ('open', 'lost', 'declined', 'expired') and sent_at is not null returning id, tries`,
    [chargeId, dueAt],
  );
  return rows.map(({ id, tries }) => ({ queue: 'charge-check', id, tries, dueAt }));
}
