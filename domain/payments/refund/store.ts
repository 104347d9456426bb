import { newId } from '../../shared/ids.ts';
import { statement } from '../../shared/sql.ts';
import { follow, statusesBefore } from '../../shared/transitions.ts';
import type { Tx } from '../../shared/tx.ts';
import type { ChargeRow } from '../charge/row.ts';
import type { RefundDecision, RefundPatch } from './decision.ts';
import { takesRefunds } from './find-capture.ts';
import type { RefundRow } from './row.ts';
import { type RefundCause, type RefundStatus, refundTransitions } from './transitions.ts';

/** Returns the value's place in the text. */
type Bind = (value: unknown) => string;

/** SQL that says which refunds. */
type Which = (bind: Bind) => string;

type Patch = RefundPatch &
  Partial<
    Pick<
      RefundRow,
      | 'approved_at'
      | 'capture_id'
      | 'connection_id'
      | 'decided_at'
      | 'decided_by'
      | 'rejection_reason'
    >
  >;

/**
 * The one writer of a refund's status. Leaves alone those in none of the statuses `from`. The
 * charge must be locked, or `which` checks the worker's claim.
 */
export async function writeStatus(
  { sql }: Pick<Tx, 'sql'>,
  { to, from }: { to: RefundStatus; from: readonly RefundStatus[] },
  which: Which,
  patch: Patch = {},
): Promise<RefundRow[]> {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const sets = Object.entries({ status: to, ...patch }).map(
    ([column, value]) => `${column} = ${bind(value)}`,
  );
  return sql.query<RefundRow>(
    `update refunds set ${sets.join(', ')}
     where ${which(bind)} and status = any(${bind(from)}) returning *`,
    values,
  );
}

/** For a cause that always leads to one status. */
export function by<Cause extends RefundCause>(cause: Cause) {
  const from = statusesBefore(refundTransitions, cause);
  return { to: follow(refundTransitions, from[0]!, cause)!, from };
}

export const withId =
  (id: string): Which =>
  (bind) =>
    `id = ${bind(id)}`;

const claimed =
  ({ id, tries }: Pick<RefundRow, 'id' | 'tries'>): Which =>
  (bind) =>
    `id = ${bind(id)} and tries = ${bind(tries)}`;

/** Its charge must be locked. */
export async function updateRefund(
  tx: Tx,
  refund: RefundRow,
  { status, patch }: RefundDecision,
): Promise<RefundRow> {
  const move = { to: status, from: [refund.status] };
  const [written] = await writeStatus(tx, move, withId(refund.id), patch);
  return { ...refund, ...written! };
}

/**
 * A list without our id made our own refund look begun at the provider, before the answer came.
 * Returns whether that one had completed.
 */
export async function cancelSecondRecord(
  tx: Tx,
  { id, connection_id: connectionId }: RefundRow,
  providerRefundId: string,
): Promise<boolean> {
  const second: Which = (bind) =>
    `connection_id = ${bind(connectionId)} and provider_refund_id = ${bind(providerRefundId)}
     and origin = 'provider' and id <> ${bind(id)}`;
  const cancelled = await writeStatus(tx, by('recorded twice'), second, {
    rejection_reason: `It is the refund ${id}, recorded twice.`,
    ...{ provider_refund_id: null, due_at: null, attention: null },
  });
  return cancelled.some(({ completed_at: completedAt }) => completedAt !== null);
}

export function writeCancelled(tx: Tx, chargeId: string, rejectionReason: string) {
  const ofCharge: Which = (bind) => `charge_id = ${bind(chargeId)}`;
  return writeStatus(tx, by('cancelled'), ofCharge, { rejection_reason: rejectionReason });
}

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

/** What is approved is due at once, through the connection that the charge was paid by. */
export async function writeOwnersDecision(
  tx: Tx,
  id: string,
  decision: { to: 'approved' | 'rejected'; rejectionReason: string | null; decidedBy: string },
): Promise<RefundRow> {
  const { sql, now } = tx;
  const [paid] = await sql.query<{ connection_id: string | null }>(
    `select coalesce(k.connection_id, c.connection_id) as connection_id
     from refunds r join charges c on c.id = r.charge_id left join captures k on k.id = c.capture_id
     where r.id = $1`,
    [id],
  );
  const approvedAt = decision.to === 'approved' ? now : null;
  const [row] = await writeStatus(tx, by(decision.to), withId(id), {
    ...{ decided_by: decision.decidedBy, decided_at: now, approved_at: approvedAt },
    ...{ due_at: approvedAt, rejection_reason: decision.rejectionReason, ...paid! },
  });
  return row!;
}

/** Leaves the status: whether this approval counts is asked when the second Owner approves. */
export async function writeFirstApproval(
  { sql, now }: Tx,
  refund: RefundRow,
  approvedBy: string,
): Promise<RefundRow> {
  await sql.query(
    `update refunds set first_approved_by = $2, first_approved_at = $3
     where id = $1 and status = 'requested'`,
    [refund.id, approvedBy, now],
  );
  return { ...refund, first_approved_by: approvedBy, first_approved_at: now };
}

/** For a person to read. */
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

/** False where the worker's claim on it has ended. */
export async function markSending(
  tx: Tx,
  refund: Pick<RefundRow, 'id' | 'tries'>,
  { captureId, connectionId }: { captureId: string; connectionId: string },
  untilAt: Date,
): Promise<boolean> {
  const mayBeSent: Which = (bind) =>
    `${claimed(refund)(bind)} and due_at > ${bind(untilAt)} and ${takesRefunds(bind(connectionId))}`;
  const from = { capture_id: captureId, connection_id: connectionId };
  const patch = { sent_at: tx.now, attention: null, ...from };
  return (await writeStatus(tx, by('sent'), mayBeSent, patch)).length > 0;
}

/** Only where the provider surely was not reached. */
export async function markNotReached(tx: Tx, refund: Pick<RefundRow, 'id' | 'tries'>) {
  await writeStatus(tx, by('not reached'), claimed(refund), { sent_at: null });
}

export async function approveAgain(tx: Tx, id: string): Promise<RefundRow> {
  const patch = { approved_at: tx.now, due_at: tx.now, sent_at: null, attention: null };
  const [row] = await writeStatus(tx, by('sent again'), withId(id), patch);
  return row!;
}

/** A negative amount is owed again. */
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
