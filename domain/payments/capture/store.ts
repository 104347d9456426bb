import type { Owner } from '../../journal/post.ts';
import type { RowOf } from '../../shared/columns.ts';
import { rowsWrite } from '../../shared/sql.ts';
import { statusesBefore } from '../../shared/transitions.ts';
import type { Tx } from '../../shared/tx.ts';
import type { Charge } from '../entities/charge.ts';
import type { RecordedCapture, StatedCapture } from './capture.ts';
import { type CaptureStatus, captureTransitions } from './transitions.ts';

const KNOWN = `select id, charge_id as "chargeId", connection_id as "connectionId",
  provider_payment_id as "providerPaymentId", status, amount_kobo as "amountKobo",
  payer_fee_kobo as "payerFeeKobo", fee_kobo as "feeKobo", currency, attempt_id as "attemptId",
  kept_kobo as "keptKobo", captured_at as "capturedAt", recorded_at as "recordedAt"
  from captures`;

export async function findCapturesOf(
  { sql }: Tx,
  chargeIds: readonly string[],
): Promise<Map<string, RecordedCapture[]>> {
  const found = await sql.query<RecordedCapture>(`${KNOWN} where charge_id = any($1) order by id`, [
    chargeIds,
  ]);
  return Map.groupBy(found, ({ chargeId }) => chargeId);
}

/** Includes the stated one where another charge has it. */
export function findCaptures({ sql }: Tx, chargeId: string, stated?: StatedCapture) {
  return sql.query<RecordedCapture>(
    `${KNOWN}
     where charge_id = $1 or (connection_id = $2 and provider_payment_id = $3) order by id`,
    [chargeId, stated?.connectionId ?? null, stated?.providerPaymentId ?? null],
  );
}

export type PostedCapture = RecordedCapture &
  Owner & { askedKobo: number; createdBy: RowOf<typeof Charge>['created_by'] };

/** With the amount that their charges asked for. */
export function findPostedCaptures({ sql }: Tx, ids: readonly string[]) {
  return sql.query<PostedCapture>(
    `select known.*, c.tenant_id as "tenantId", c.mode, c.amount_kobo as "askedKobo",
       c.created_by as "createdBy"
     from (${KNOWN} where id = any($1)) known join charges c on c.id = known."chargeId"
     order by known.id`,
    [ids],
  );
}

/** Inserts, or changes one on hold: any other keeps its status. */
export async function writeCapture(
  { write, now }: Tx,
  chargeId: string,
  stated: StatedCapture,
  { id, status }: { id: string; status: CaptureStatus },
): Promise<void> {
  const { connectionId, providerPaymentId } = stated;
  const capture = capturesWrite(
    {
      key: `${connectionId}/${providerPaymentId}`,
      id,
      charge_id: chargeId,
      attempt_id: stated.attemptId,
      connection_id: connectionId,
      provider_payment_id: providerPaymentId,
      status,
      amount_kobo: stated.amountKobo,
      payer_fee_kobo: stated.payerFeeKobo ?? 0,
      fee_kobo: stated.feeKobo,
      currency: stated.currency,
      channel: stated.channel,
      captured_at: stated.capturedAt,
      now,
    },
    () => new Error(`Payment ${providerPaymentId} is another charge's, or its status is final.`),
  );
  await write(capture);
}

const capturesWrite = rowsWrite(
  'capture',
  {
    key: 'text',
    id: 'text',
    charge_id: 'text',
    attempt_id: 'text',
    connection_id: 'text',
    provider_payment_id: 'text',
    status: 'text',
    amount_kobo: 'bigint',
    payer_fee_kobo: 'bigint',
    fee_kobo: 'bigint',
    currency: 'text',
    channel: 'text',
    captured_at: 'timestamptz',
    now: 'timestamptz',
  },
  `insert into captures (id, charge_id, attempt_id, connection_id, provider_payment_id, status,
    amount_kobo, payer_fee_kobo, fee_kobo, currency, channel, captured_at, recorded_at)
  select id, charge_id, attempt_id, connection_id, provider_payment_id, status, amount_kobo,
    payer_fee_kobo, fee_kobo, currency, channel, captured_at, now
  from :rows
  on conflict (connection_id, provider_payment_id) do update
    set status = excluded.status, amount_kobo = excluded.amount_kobo,
      payer_fee_kobo = excluded.payer_fee_kobo, fee_kobo = excluded.fee_kobo,
      captured_at = excluded.captured_at, changed_at = excluded.recorded_at
    where captures.charge_id = excluded.charge_id and captures.status = 'on_hold'
  returning connection_id || '/' || provider_payment_id as key`,
);

/** Without what put it on hold: a person has decided on that. */
export async function readCapture({ sql }: Tx, captureId: string): Promise<StatedCapture> {
  const [row] = await sql.query<StatedCapture>(
    `select k.id as "captureId", a.id as "attemptId", a.reference as "attemptReference",
       a.reference, a.created_at as "attemptedAt", k.connection_id as "connectionId", a.slot,
       k.provider_payment_id as "providerPaymentId", k.amount_kobo as "amountKobo",
       k.payer_fee_kobo as "payerFeeKobo", k.fee_kobo as "feeKobo", k.currency, k.channel, null as mode, null as "createdAt",
       k.captured_at as "capturedAt"
     from captures k join attempts a on a.id = k.attempt_id where k.id = $1`,
    [captureId],
  );
  return row!;
}

/** `changed_at` has the settlement that holds it compute its totals again. */
export async function increaseCapture(
  { sql, now }: Tx,
  increased: { id: string; amountKobo: number; payerFeeKobo: number },
): Promise<void> {
  const { id, amountKobo, payerFeeKobo } = increased;
  await sql.query(
    `update captures set amount_kobo = $2, payer_fee_kobo = $3, changed_at = $4 where id = $1`,
    [id, amountKobo, payerFeeKobo, now],
  );
}

export async function writeCaptureFee({ sql, now }: Tx, captureId: string, feeKobo: number) {
  await sql.query('update captures set fee_kobo = $2, changed_at = $3 where id = $1', [
    captureId,
    feeKobo,
    now,
  ]);
}

/** A person accepted it beside what the charge asked for. */
export async function keepOfCapture({ sql }: Tx, captureId: string, kobo: number): Promise<void> {
  await sql.query('update captures set kept_kobo = kept_kobo + $2 where id = $1', [
    captureId,
    kobo,
  ]);
}

/** No increase of it completes the charge. */
export async function markDuplicate({ sql }: Tx, captureId: string): Promise<void> {
  await sql.query(`update captures set status = 'duplicate' where id = $1 and status = any($2)`, [
    captureId,
    statusesBefore(captureTransitions, 'not needed'),
  ]);
}
