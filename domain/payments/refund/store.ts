import { newId } from '../../shared/ids.ts';
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
export async function insertProviderRefund(
  { sql, now }: Tx,
  { captureId, connectionId, charge }: RefundedPayment,
  { providerRefundId, amountKobo }: { providerRefundId: string; amountKobo: number },
): Promise<string> {
  const id = newId('ref', now);
  await sql.query(
    `insert into refunds (id, tenant_id, mode, charge_id, capture_id, connection_id,
       provider_refund_id, amount_kobo, reason, status, origin, requested_by, sent_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 'Refunded at the provider, not through this service.',
       'sending', 'provider', 'provider', $9, $9)`,
    [
      id,
      charge.tenant_id,
      charge.mode,
      charge.id,
      captureId,
      connectionId,
      providerRefundId,
      amountKobo,
      now,
    ],
  );
  return id;
}

/** Writes a request to refund a charge, which waits for an Owner. */
export async function insertRequest(
  { sql, now }: Tx,
  charge: Pick<ChargeRow, 'id' | 'tenant_id' | 'mode' | 'number' | 'currency'>,
  asked: { amountKobo: number; reason: string; requestedBy: string },
): Promise<RefundRow> {
  const { id, tenant_id: tenantId, mode, number, currency } = charge;
  const { amountKobo, reason, requestedBy } = asked;
  const [written] = await sql.query<RefundRow>(
    `insert into refunds (id, tenant_id, mode, charge_id, amount_kobo, reason, status, requested_by,
       created_at)
     values ($1, $2, $3, $4, $5, $6, 'requested', $7, $8) returning *`,
    [newId('ref', now), tenantId, mode, id, amountKobo, reason, requestedBy, now],
  );
  return { ...written!, number, currency };
}

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
  const { to, rejectionReason, decidedBy } = decision;
  const [row] = await sql.query<RefundRow>(
    `update refunds set status = $2, decided_by = $3, decided_at = $4, rejection_reason = $5,
       approved_at = $6, due_at = $6, connection_id = (
         select coalesce(capture.connection_id, charge.connection_id)
         from charges charge left join captures capture on capture.id = charge.capture_id
         where charge.id = refunds.charge_id)
     where id = $1 and status = any($7) returning *`,
    [
      id,
      to,
      decidedBy,
      now,
      rejectionReason,
      to === 'approved' ? now : null,
      statusesBefore(refundTransitions, to),
    ],
  );
  return row!;
}

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
  const marked = await sql.query(
    `update refunds set status = 'sending', sent_at = $3, capture_id = $4, connection_id = $5,
       attention = null
     where id = $1 and tries = $2 and status = any($7) and due_at > $6
       and ${takesRefunds('$5')} returning 1`,
    [
      id,
      tries,
      now,
      from.captureId,
      from.connectionId,
      untilAt,
      statusesBefore(refundTransitions, 'sent'),
    ],
  );
  return marked.length > 0;
}

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
): Promise<{ tries: number; connection_id: string }> {
  const [row] = await sql.query<{ tries: number; connection_id: string }>(
    `update refunds set status = 'approved', approved_at = $2, sent_at = null, attention = null,
       due_at = $2, enqueues = 0, enqueued_at = null
     where id = $1 and status = any($3) returning tries, connection_id`,
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
