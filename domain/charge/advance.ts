import { newId, referenceOf } from '../ids.ts';
import type { Job } from '../jobs.ts';
import { formatNaira } from '../money.ts';
import type { Phase } from '../phase.ts';
import { publishEvent } from '../webhook/publish.ts';
import type { CaptureFact, ChargeFact, Evidence } from './facts.ts';
import { type ChargeState, type Decision, decideCharge } from './machine.ts';
import { type ChargeRow, transactionView } from './row.ts';
import { appendTimeline, type Entry } from './timeline.ts';

/**
 * Records a fact about a charge: locks the row, decides, writes the change, its timeline, its event and its deliveries together. A fact
 * reported again changes nothing. Returns the jobs to ring once committed. The only place a charge's status is written.
 */
export async function advanceCharge(phase: Phase, chargeId: string, fact: ChargeFact, evidence?: Evidence): Promise<Job[]> {
  const charge = await lockCharge(phase, chargeId);
  if (fact.type === 'captured' && (await isKnownCapture(phase, fact))) return [];
  const decision = decideCharge(stateOf(charge), fact);
  if (decision === undefined) return [];
  const captureId = fact.type === 'captured' ? await insertCapture(phase, charge, fact, decision) : null;
  const next = await writeCharge(phase, charge, decision, captureId);
  await appendTimeline(phase, charge, entriesOf(decision, fact), evidence);
  if (decision.moves.at(-1) === 'failed') await watchAfterFailure(phase, chargeId);
  if (decision.event === undefined) return [];
  return publishEvent(phase, {
    tenantId: charge.tenant_id,
    mode: charge.mode,
    type: decision.event,
    subjectId: chargeId,
    data: transactionView(next),
  });
}

interface LockedCharge extends ChargeRow {
  capture_id: string | null;
}

async function lockCharge({ sql }: Phase, chargeId: string): Promise<LockedCharge> {
  const [charge] = await sql.query<LockedCharge>('select * from charges where id = $1 for update', [chargeId]);
  if (!charge) throw new Error(`No charge ${chargeId}.`);
  return charge;
}

function stateOf(charge: LockedCharge): ChargeState {
  return {
    status: charge.status,
    reference: referenceOf(charge.number),
    mode: charge.mode,
    amountKobo: charge.amount_kobo,
    refundedKobo: charge.refunded_kobo,
    currency: charge.currency,
    settledAt: charge.settled_at,
    review: charge.review,
    hasKeptCapture: charge.capture_id !== null,
  };
}

/** A capture reported before: only a fee it did not carry then is taken over. */
async function isKnownCapture({ sql }: Phase, fact: CaptureFact): Promise<boolean> {
  const [known] = await sql.query<{ id: string; charge_id: string; kind: string; fee_kobo: number | null }>(
    'select id, charge_id, kind, fee_kobo from captures where connection_id = $1 and provider_payment_id = $2',
    [fact.connectionId, fact.providerPaymentId],
  );
  if (!known) return false;
  if (known.fee_kobo === null && fact.feeKobo !== null) {
    await sql.query('update captures set fee_kobo = $2 where id = $1', [known.id, fact.feeKobo]);
    if (known.kind === 'kept') await sql.query('update charges set fee_kobo = $2 where id = $1', [known.charge_id, fact.feeKobo]);
  }
  return true;
}

async function insertCapture({ sql, now }: Phase, charge: ChargeRow, fact: CaptureFact, decision: Decision): Promise<string | null> {
  const id = newId('cap', now);
  await sql.query(
    `insert into captures (id, charge_id, attempt_id, connection_id, provider_payment_id, kind, amount_kobo, fee_kobo, currency, channel,
       captured_at, recorded_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      id,
      charge.id,
      fact.attemptId,
      fact.connectionId,
      fact.providerPaymentId,
      decision.captureKind,
      fact.amountKobo,
      fact.feeKobo,
      fact.currency,
      fact.channel,
      fact.capturedAt,
      now,
    ],
  );
  return decision.captureKind === 'kept' ? id : null;
}

async function writeCharge({ sql, now }: Phase, charge: LockedCharge, decision: Decision, captureId: string | null): Promise<ChargeRow> {
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

function entriesOf(decision: Decision, fact: ChargeFact): Entry[] {
  const about = fact.type === 'captured' ? { amountKobo: fact.amountKobo, attemptId: fact.attemptId } : {};
  const entries: Entry[] = [];
  if (decision.note) entries.push({ what: `charge.${decision.review[0] ?? fact.type}`, detail: decision.note, ...about });
  for (const status of decision.moves) entries.push({ what: `charge.${status}`, detail: sentenceOf(status, fact), ...about });
  return entries;
}

function sentenceOf(status: string, fact: ChargeFact): string | null {
  if ('message' in fact) return fact.message;
  if (fact.type === 'captured' && status === 'succeeded')
    return `${formatNaira(fact.amountKobo)} was paid by ${fact.channel.replace('_', ' ')}.`;
  if (fact.type === 'opened' || status === 'pending') return 'The provider opened the payment.';
  return null;
}

/** Late money may still come on every attempt a provider may know of; the first look is an hour after the failure. */
async function watchAfterFailure({ sql, now }: Phase, chargeId: string): Promise<void> {
  const dueAt = new Date(now.getTime() + 3_600_000);
  await sql.query(
    `update attempts set due_at = $2, ring = 0 where charge_id = $1 and status in ('open', 'lost', 'declined', 'expired') and sent_at is not null`,
    [chargeId, dueAt],
  );
}
