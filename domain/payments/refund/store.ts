import { newId } from '../../shared/ids.ts';
import { type Sql, statement } from '../../shared/sql.ts';
import { statusesBefore } from '../../shared/transitions.ts';
import type { Tx } from '../../shared/tx.ts';
import type { ChargeRow } from '../charge/row.ts';
import type { RefundDecision } from './decision.ts';
import { takesRefunds } from './find-capture.ts';
import type { RefundRow } from './row.ts';
import { committedRefundStatuses, refundTransitions } from './transitions.ts';

/** Writes what a decision sets and returns the row. Its charge must be locked. */
export async function updateRefund(
  { sql }: Tx,
  refund: RefundRow,
  { status, patch }: RefundDecision,
): Promise<RefundRow> {
  const values: unknown[] = [refund.id, status];
  const sets = Object.entries(patch).map(([column, value]) => `${column} = $${values.push(value)}`);
  const [written] = await sql.query<RefundRow>(
    `update refunds set ${['status = $2', ...sets].join(', ')} where id = $1 returning *`,
    values,
  );
  return { ...refund, ...written! };
}

/**
 * Cancels the second record of a refund. A provider's list that did not carry our id made it look
 * begun at the provider, so it was adopted before the answer to our own request came.
 */
export async function cancelSecondRecord(
  { sql }: Tx,
  { id, connection_id: connectionId }: RefundRow,
  providerRefundId: string,
): Promise<void> {
  await sql.query(
    `update refunds set status = 'cancelled', rejection_reason = $4, provider_refund_id = null,
       due_at = null, attention = null
     where connection_id = $2 and provider_refund_id = $3 and origin = 'provider' and id <> $1
       and status = any($5)`,
    [
      id,
      connectionId,
      providerRefundId,
      `It is the refund ${id}, recorded twice.`,
      statusesBefore(refundTransitions, 'recorded twice'),
    ],
  );
}

/** A payment of a charge of ours, as a listed refund names it. */
export interface RefundedPayment {
  captureId: string;
  connectionId: string;
  charge: { id: string; tenant_id: string; mode: string };
}

/**
 * Finds the refund that a provider lists among ours: by the provider's id, or by our own where the
 * list carries it and the answer to our request was lost.
 */
export async function claimListedRefund(
  { sql }: Tx,
  { captureId, connectionId, charge }: RefundedPayment,
  listed: { providerRefundId: string; refundId: string | null },
): Promise<string | undefined> {
  const [known] = await sql.query<{ id: string }>(
    `update refunds set connection_id = $2, capture_id = $5 where charge_id = $1
       and ((connection_id = $2 and provider_refund_id = $3)
         or (id = $4 and provider_refund_id is null and status = any($6)))
     returning id`,
    [
      charge.id,
      connectionId,
      listed.providerRefundId,
      listed.refundId,
      captureId,
      [...committedRefundStatuses, 'failed'],
    ],
  );
  return known?.id;
}

/** Writes a refund that was begun at the provider, as if it were sent just now. Returns its id. */
export function insertProviderRefund(
  tx: Tx,
  payment: RefundedPayment,
  { providerRefundId, amountKobo }: { providerRefundId: string; amountKobo: number },
): Promise<string> {
  const reason = 'Refunded at the provider, not through this service.';
  return insertFromProvider(tx, payment, { providerRefundId, amountKobo, reason });
}

/** Writes what the provider took back without naming a refund. Returns its id. */
export function insertReversal(
  tx: Tx,
  payment: RefundedPayment,
  amountKobo: number,
): Promise<string> {
  const reason = 'The provider reversed the payment by itself.';
  return insertFromProvider(tx, payment, { providerRefundId: null, amountKobo, reason });
}

async function insertFromProvider(
  { sql, now }: Tx,
  { captureId, connectionId, charge }: RefundedPayment,
  refund: { providerRefundId: string | null; amountKobo: number; reason: string },
): Promise<string> {
  const id = newId('ref', now);
  const { id: chargeId, tenant_id: tenantId, mode } = charge;
  const owner = { tenantId, mode, chargeId, captureId, connectionId };
  await insertSent(sql, { id, ...owner, ...refund, now });
  return id;
}

const insertSent = statement(
  `insert into refunds (id, tenant_id, mode, charge_id, capture_id, connection_id,
     provider_refund_id, amount_kobo, reason, status, origin, requested_by, sent_at, created_at)
   values (:id, :tenantId, :mode, :chargeId, :captureId, :connectionId, :providerRefundId,
     :amountKobo, :reason, 'sending', 'provider', 'provider', :now, :now)`,
);

const REVERSAL = `capture_id = $1 and origin = 'provider' and provider_refund_id is null
  and status = 'completed'`;

/**
 * Finds the reversal of a payment that a listed refund of the same amount turns out to be, and
 * writes the provider's id of it. Undefined: there is none.
 */
export async function claimReversal(
  { sql }: Tx,
  { captureId }: RefundedPayment,
  { providerRefundId, amountKobo }: { providerRefundId: string; amountKobo: number },
): Promise<string | undefined> {
  const [known] = await sql.query<{ id: string }>(
    `update refunds set provider_refund_id = $2
     where id = (select id from refunds where ${REVERSAL} and amount_kobo = $3 order by id limit 1)
     returning id`,
    [captureId, providerRefundId, amountKobo],
  );
  return known?.id;
}

/** The part of a payment, in kobo, that its provider took back and nothing else explains. */
export async function reversedOf(sql: Sql, captureId: string): Promise<number> {
  const [reversed] = await sql.query<{ kobo: number }>(
    `select coalesce(sum(amount_kobo), 0)::bigint as kobo from refunds where ${REVERSAL}`,
    [captureId],
  );
  return reversed!.kobo;
}

/**
 * Takes up to so much off the reversals of a payment, because a refund or a lost dispute turned out
 * to be what sent it back. A reversal of which nothing is left is cancelled. Returns how much was
 * taken off.
 */
export async function reduceReversals(
  { sql }: Tx,
  captureId: string,
  kobo: number,
): Promise<number> {
  const reversals = await sql.query<{ id: string; kobo: number }>(
    `select id, amount_kobo as kobo from refunds where ${REVERSAL} order by id desc`,
    [captureId],
  );
  let left = kobo;
  for (const reversal of reversals) {
    if (left <= 0) break;
    await (left < reversal.kobo
      ? sql.query('update refunds set amount_kobo = amount_kobo - $2 where id = $1', [
          reversal.id,
          left,
        ])
      : sql.query(
          `update refunds set status = 'cancelled', rejection_reason = $2
           where id = $1 and status = any($3)`,
          [reversal.id, EXPLAINED, statusesBefore(refundTransitions, 'recorded twice')],
        ));
    left -= Math.min(left, reversal.kobo);
  }
  return kobo - left;
}

const EXPLAINED = 'A refund or a lost dispute sent this money back; it was recorded twice.';

/** Writes a request to refund a charge, which waits for an Owner. */
export async function insertRequest(
  { sql, now }: Tx,
  charge: Pick<ChargeRow, 'id' | 'tenant_id' | 'mode' | 'number' | 'currency'>,
  asked: { amountKobo: number; reason: string; requestedBy: string },
): Promise<RefundRow> {
  const { id: chargeId, tenant_id: tenantId, mode, number, currency } = charge;
  const id = newId('ref', now);
  const [written] = await insert(sql, { ...asked, id, tenantId, mode, chargeId, now });
  return { ...written!, number, currency };
}

const insert = statement<RefundRow>(`
  insert into refunds (id, tenant_id, mode, charge_id, amount_kobo, reason, status, requested_by,
    created_at)
  values (:id, :tenantId, :mode, :chargeId, :amountKobo, :reason, 'requested', :requestedBy, :now)
  returning *`);

/**
 * Writes an Owner's decision on a request. What is approved is due at once, through the connection
 * that the charge was paid by.
 */
export async function writeOwnersDecision(
  { sql, now }: Tx,
  id: string,
  decision: {
    to: 'approved' | 'rejected';
    rejectionReason: string | null;
    decidedBy: string;
  },
): Promise<RefundRow> {
  const approvedAt = decision.to === 'approved' ? now : null;
  const before = statusesBefore(refundTransitions, decision.to);
  const [row] = await writeDecision(sql, { ...decision, id, now, approvedAt, before });
  return row!;
}

const writeDecision = statement<RefundRow>(`
  update refunds set status = :to, decided_by = :decidedBy, decided_at = :now,
    rejection_reason = :rejectionReason, approved_at = :approvedAt, due_at = :approvedAt,
    connection_id = (
      select coalesce(capture.connection_id, charge.connection_id)
      from charges charge left join captures capture on capture.id = charge.capture_id
      where charge.id = refunds.charge_id)
  where id = :id and status = any(:before) returning *`);

/** Writes why a claimed refund waits, for a person to read. */
export async function writeAttention(
  { sql }: Pick<Tx, 'sql'>,
  { id, tries }: Pick<RefundRow, 'id' | 'tries'>,
  attention: string,
): Promise<void> {
  await sql.query(
    `update refunds set attention = $3 where id = $1 and tries = $2 and status = 'approved'`,
    [id, tries, attention],
  );
}

/** True while a refund is as its worker claimed it. */
export async function isUnchanged(
  { sql }: Pick<Tx, 'sql'>,
  { id, tries, status }: Pick<RefundRow, 'id' | 'tries' | 'status'>,
): Promise<boolean> {
  const same = await sql.query(
    'select 1 from refunds where id = $1 and tries = $2 and status = $3',
    [id, tries, status],
  );
  return same.length > 0;
}

/**
 * Marks that a worker sends the refund now. False where its claim on the refund has ended.
 */
export async function markSending(
  { sql, now }: Tx,
  { id, tries }: Pick<RefundRow, 'id' | 'tries'>,
  from: { captureId: string; connectionId: string },
  untilAt: Date,
): Promise<boolean> {
  const before = statusesBefore(refundTransitions, 'sent');
  return (await markSent(sql, { id, tries, now, ...from, untilAt, before })).length > 0;
}

const markSent = statement(`
  update refunds set status = 'sending', sent_at = :now, capture_id = :captureId,
    connection_id = :connectionId, attention = null
  where id = :id and tries = :tries and status = any(:before) and due_at > :untilAt
    and ${takesRefunds(':connectionId')} returning 1`);

/**
 * Returns the refund to `approved` where the provider surely was not reached, unless another worker
 * claimed it meanwhile.
 */
export async function markNotReached(
  { sql }: Pick<Tx, 'sql'>,
  { id, tries }: Pick<RefundRow, 'id' | 'tries'>,
): Promise<void> {
  await sql.query(
    `update refunds set status = 'approved', sent_at = null
     where id = $1 and tries = $2 and status = any($3)`,
    [id, tries, statusesBefore(refundTransitions, 'not reached')],
  );
}

/** Approves an unresolved refund to be sent again. Returns what its job names. */
export async function approveAgain(
  { sql, now }: Tx,
  id: string,
): Promise<{ connection_id: string }> {
  const [row] = await sql.query<{ connection_id: string }>(
    `update refunds set status = 'approved', approved_at = $2, sent_at = null, attention = null,
       due_at = $2
     where id = $1 and status = any($3) returning connection_id`,
    [id, now, statusesBefore(refundTransitions, 'sent again')],
  );
  return row!;
}

/** Adds what settlements deducted for these refunds. A negative amount is owed again. */
export async function addRefundDeductions(
  { sql }: Tx,
  deductions: readonly { id: string; kobo: number }[],
): Promise<void> {
  if (deductions.length === 0) return;
  await sql.query(
    `update refunds set deducted_kobo = deducted_kobo + deduction.kobo
     from unnest($1::text[], $2::bigint[]) as deduction (id, kobo)
     where refunds.id = deduction.id`,
    [deductions.map(({ id }) => id), deductions.map(({ kobo }) => kobo)],
  );
}
