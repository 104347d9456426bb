import { newId } from '../../shared/ids.ts';
import { formatNaira } from '../../shared/money.ts';
import type { Tx } from '../../shared/tx.ts';
import type { CaptureFact, Evidence } from '../charge/facts.ts';
import type { ChargeRow } from '../charge/row.ts';
import type { CaptureStatus } from '../charge/transitions.ts';
import { appendTimeline } from '../timeline/timeline.ts';

/** Money as it was recorded when we first heard of it. */
export interface KnownCapture {
  id: string;
  charge_id: string;
  status: CaptureStatus;
  amount_kobo: number;
  fee_kobo: number | null;
}

/** The capture a fact speaks of, if it was reported before. A provider's payment id names one capture of a connection for ever. */
export async function findCapture(
  { sql }: Tx,
  fact: CaptureFact,
): Promise<KnownCapture | undefined> {
  const [known] = await sql.query<KnownCapture>(
    'select id, charge_id, status, amount_kobo, fee_kobo from captures where connection_id = $1 and provider_payment_id = $2',
    [fact.connectionId, fact.providerPaymentId],
  );
  return known;
}

/** True when a payment has grown since: a payer who sent too little may send the rest under it, and whoever sent enough, more. */
export function hasGrown(known: KnownCapture, fact: CaptureFact): boolean {
  return fact.amountKobo > known.amount_kobo;
}

/** Writes a capture, or what has become of one that was held. Returns its id. */
export async function writeCapture(
  { sql, now }: Tx,
  charge: ChargeRow,
  fact: CaptureFact,
  status: CaptureStatus,
): Promise<string> {
  const [capture] = await sql.query<{ id: string }>(
    `insert into captures (id, charge_id, attempt_id, connection_id, provider_payment_id, status, amount_kobo, fee_kobo, currency, channel,
       captured_at, recorded_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     on conflict (connection_id, provider_payment_id) do update set status = $6, amount_kobo = $7, fee_kobo = $8, captured_at = $11,
       changed_at = $12
       where captures.charge_id = $2
     returning id`,
    [
      newId('cap', now),
      charge.id,
      fact.attemptId,
      fact.connectionId,
      fact.providerPaymentId,
      status,
      fact.amountKobo,
      fact.feeKobo,
      fact.currency,
      fact.channel,
      fact.capturedAt,
      now,
    ],
  );
  if (!capture)
    throw new Error(
      `Payment ${fact.providerPaymentId} became another charge's while this was written.`,
    );
  return capture.id;
}

/** A capture as it was told, once it is known: what was held against it then is left out. */
export async function readCapture({ sql }: Tx, captureId: string): Promise<CaptureFact> {
  const [row] = await sql.query<CaptureFact>(
    `select 'captured' as type, a.id as "attemptId", a.reference as "attemptReference", a.reference, a.created_at as "attemptedAt",
       k.connection_id as "connectionId", a.slot, k.provider_payment_id as "providerPaymentId", k.amount_kobo as "amountKobo",
       k.fee_kobo as "feeKobo", k.currency, k.channel, null as mode, null as "createdAt", k.captured_at as "capturedAt"
     from captures k join attempts a on a.id = k.attempt_id where k.id = $1`,
    [captureId],
  );
  return row!;
}

/** Writes what a payment has grown to. `changed_at` has the settlement that holds it compute its totals again. */
export async function growCapture(
  { sql, now }: Tx,
  captureId: string,
  amountKobo: number,
): Promise<void> {
  await sql.query('update captures set amount_kobo = $2, changed_at = $3 where id = $1', [
    captureId,
    amountKobo,
    now,
  ]);
}

/** A held payment that the charge will not be paid with: it is on top from now on, and no growth of it completes the charge. */
export async function setAside({ sql }: Tx, captureId: string): Promise<void> {
  await sql.query(`update captures set status = 'duplicate' where id = $1 and status = 'on_hold'`, [
    captureId,
  ]);
}

/** A fee the provider had not stated when the capture was first reported is taken over once it does. */
export async function takeOverFee(
  tx: Tx,
  charge: ChargeRow,
  known: KnownCapture,
  fact: CaptureFact,
  evidence?: Evidence,
): Promise<void> {
  if (known.fee_kobo !== null || fact.feeKobo === null) return;
  await tx.sql.query('update captures set fee_kobo = $2, changed_at = $3 where id = $1', [
    known.id,
    fact.feeKobo,
    tx.now,
  ]);
  if (known.status !== 'applied') return;
  await tx.sql.query('update charges set fee_kobo = $2 where id = $1', [
    known.charge_id,
    fact.feeKobo,
  ]);
  const detail = `The provider stated its fee: ${formatNaira(fact.feeKobo)}.`;
  await appendTimeline(
    tx,
    charge,
    [{ what: 'charge.fee', detail, attemptId: fact.attemptId }],
    evidence,
  );
}
