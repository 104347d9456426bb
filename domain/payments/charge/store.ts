import type { Reader } from '../../shared/reader.ts';
import { rowsWrite } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import { figureChanges } from '../figures/changes.ts';
import { appendChanges } from '../figures/store.ts';
import type { ChargeDecision, ChargePatch } from './decision.ts';
import type { ChargeRow } from './row.ts';

/** Whoever writes about a charge or its rows locks the charge first, so that no two deadlock. */
export async function lockCharge({ sql }: Pick<Tx, 'sql'>, chargeId: string): Promise<ChargeRow> {
  const [charge] = await sql.query<ChargeRow>('select * from charges where id = $1 for update', [
    chargeId,
  ]);
  if (!charge) throw new Error(`No charge ${chargeId}.`);
  return charge;
}

/** Waits for none: leaves out those that somebody else has locked. */
export function lockUnlockedCharges({ sql }: Pick<Tx, 'sql'>, ids: readonly string[]) {
  return sql.query<ChargeRow>(
    'select * from charges where id = any($1) order by id for update skip locked',
    [ids],
  );
}

export function lockCharges({ sql }: Pick<Tx, 'sql'>, ids: readonly string[]) {
  return sql.query<ChargeRow>('select * from charges where id = any($1) order by id for update', [
    ids,
  ]);
}

const CHARGE_OF = {
  dispute: 'select charge_id from disputes where id = $1',
  refund: 'select charge_id from refunds where id = $1',
  review: 'select charge_id from reviews where id = $1',
} as const;

export async function lockChargeOf(
  { sql }: Pick<Tx, 'sql'>,
  what: keyof typeof CHARGE_OF,
  id: string,
): Promise<ChargeRow | undefined> {
  const [charge] = await sql.query<ChargeRow>(
    `select * from charges where id = (${CHARGE_OF[what]}) for update`,
    [id],
  );
  return charge;
}

/** Undefined: we do not hold that payment. */
export async function lockChargeOfPayment(
  { sql }: Pick<Tx, 'sql'>,
  payment: { connectionId: string; providerPaymentId: string },
): Promise<ChargeRow | undefined> {
  const [charge] = await sql.query<ChargeRow>(
    `select * from charges
     where id = (
       select charge_id from captures where connection_id = $1 and provider_payment_id = $2)
     for update`,
    [payment.connectionId, payment.providerPaymentId],
  );
  return charge;
}

/** Undefined: the tenant has none in this mode. */
export async function lockOwnCharge(
  { sql }: Pick<Tx, 'sql'>,
  { tenantId, mode }: Reader,
  number: number | undefined,
): Promise<ChargeRow | undefined> {
  const [charge] = await sql.query<ChargeRow>(
    'select * from charges where number = $1 and tenant_id = $2 and mode = $3 for update',
    [number ?? null, tenantId, mode],
  );
  return charge;
}

/** Whoever owns it: for operators only. */
export async function lockChargeByNumber(
  { sql }: Pick<Tx, 'sql'>,
  number: number,
): Promise<ChargeRow | undefined> {
  const [charge] = await sql.query<ChargeRow>(
    'select * from charges where number = $1 for update',
    [number],
  );
  return charge;
}

const columns: Record<keyof ChargePatch, keyof ChargeRow> = {
  feeKobo: 'fee_kobo',
  refundedKobo: 'refunded_kobo',
  channel: 'channel',
  providerReference: 'provider_reference',
  slot: 'slot',
  connectionId: 'connection_id',
  failureMessage: 'failure_message',
  failureCause: 'failure_cause',
  failedAt: 'failed_at',
  firstFailedAt: 'first_failed_at',
  occurredAt: 'occurred_at',
  settledAt: 'settled_at',
  settlementId: 'settlement_id',
  recovered: 'recovered',
  captureId: 'capture_id',
  retrying: 'retrying',
};

/** Writes a decision and its change of the day's figures. The charge must be locked. */
export async function updateCharge(tx: Tx, charge: ChargeRow, { status, patch }: ChargeDecision) {
  const set = { ...rowOf(patch), ...(status ? { status } : {}) };
  if (Object.keys(set).length === 0) return charge;
  const after = { ...charge, ...set };
  await appendChanges(tx, charge, figureChanges(charge, after));
  await tx.write(chargePatch({ key: charge.id, patch: JSON.stringify(set, wellFormed) }));
  return after;
}

/** SQL: begins the statement for many charges whose payments are paid out as recorded. */
export const SETTLE_CHARGES = `update charges c
    set status = :settledStatus, settled_at = :settledAt, settlement_id = :settlementId`;

/** A provider's text may have half of a surrogate pair, which the database refuses. */
const wellFormed = (_: string, value: unknown) =>
  typeof value === 'string' ? value.toWellFormed() : value;

const patched = [...Object.values(columns), 'status'];

const chargePatch = rowsWrite(
  'charge',
  { key: 'text', patch: 'jsonb' },
  `update charges c set (${patched.join(', ')}) = (
    select ${patched.map((column) => `after.${column}`).join(', ')}
    from jsonb_populate_record(c, row.patch) as after)
  from :rows where c.id = row.key`,
);

function rowOf(patch: ChargePatch): Partial<ChargeRow> {
  return Object.fromEntries(
    Object.entries(patch).map(([key, value]) => [columns[key as keyof ChargePatch], value]),
  );
}

/** Returns the reasons of its open reviews, as it shows them from now on. */
export async function refreshReview({ sql }: Pick<Tx, 'sql'>, chargeId: string) {
  const [refreshed] = await sql.query<Pick<ChargeRow, 'review'>>(
    `update charges set review = array(
       select reason from reviews where charge_id = $1 and status = 'open'
       group by reason order by min(id))
     where id = $1 returning review`,
    [chargeId],
  );
  return refreshed!.review;
}

export async function writeCancelRequest({ sql, now }: Tx, chargeId: string): Promise<void> {
  await sql.query('update charges set cancel_requested_at = $2 where id = $1', [chargeId, now]);
}
