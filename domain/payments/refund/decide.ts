import { type Actor, recordChange } from '../../accounts/audit-log/record-change.ts';
import type { Job } from '../../jobs.ts';
import { formatNaira } from '../../shared/money.ts';
import { Problem } from '../../shared/problems.ts';
import type { Tx } from '../../shared/tx.ts';
import type { ChargeRow } from '../charge/row.ts';
import { appendTimeline } from '../timeline/timeline.ts';
import { findRefund, noSuchRefund } from './find.ts';
import { requireRefundable, stillApprovable } from './refundable.ts';
import type { RefundRow } from './row.ts';
import { decideRefund, type RefundStatus } from './transitions.ts';

/**
 * The Owner agrees: the refund is due to be sent, and its job is returned. The charge is looked at once more, for a dispute or a refund
 * at the provider may have come between. An Owner may approve what they requested themselves: many a business has one person only.
 * Throws `not_found`, and `invalid_state` for what was decided already or does not fit any more.
 */
export async function approveRefund(
  tx: Tx,
  owner: Actor,
  id: string,
): Promise<{ refund: RefundRow; jobs: Job[] }> {
  const { charge, refund } = await lockUndecided(tx, owner, id, 'approved');
  requireRefundable(charge);
  const leftKobo = await stillApprovable(tx.sql, charge);
  if (refund.amount_kobo > leftKobo) {
    const message = `Only ${formatNaira(leftKobo)} of the charge can still go back, less than this refund of ${formatNaira(refund.amount_kobo)}.`;
    throw new Problem('invalid_state', message);
  }
  const approved = await writeDecision(tx, owner, charge, refund, {
    to: 'approved',
    rejectionReason: null,
  });
  return { refund: approved, jobs: [{ queue: 'refund-execute', id, tries: approved.tries }] };
}

/** The Owner refuses: nothing is sent. Throws `not_found`, and `invalid_state` for what was decided already. */
export async function rejectRefund(
  tx: Tx,
  owner: Actor,
  id: string,
  reason: string,
): Promise<RefundRow> {
  const { charge, refund } = await lockUndecided(tx, owner, id, 'rejected');
  return writeDecision(tx, owner, charge, refund, { to: 'rejected', rejectionReason: reason });
}

type Decided = Extract<RefundStatus, 'approved' | 'rejected'>;

/** The refund, and its charge locked before it, so that of two decisions at once one finds the other made. */
async function lockUndecided(
  { sql }: Tx,
  { tenantId, mode }: Actor,
  id: string,
  to: Decided,
): Promise<{ charge: ChargeRow; refund: RefundRow }> {
  const [charge] = await sql.query<ChargeRow>(
    'select * from charges where id = (select charge_id from refunds where id = $1 and tenant_id = $2 and mode = $3) for update',
    [id, tenantId, mode],
  );
  if (!charge) throw noSuchRefund();
  const refund = await findRefund(sql, { tenantId, mode }, id);
  if (decideRefund(refund.status, to) === to) return { charge, refund };
  throw new Problem(
    'invalid_state',
    `This refund is not waiting for a decision any more: it is ${refund.status}.`,
  );
}

interface Decision {
  to: Decided;
  rejectionReason: string | null;
}

/** Writes the decision with its line in the charge's history and in the audit log. What is approved is due at once. */
async function writeDecision(
  tx: Tx,
  owner: Actor,
  charge: ChargeRow,
  { id }: RefundRow,
  { to, rejectionReason }: Decision,
): Promise<RefundRow> {
  const { sql, now } = tx;
  const [row] = await sql.query<RefundRow>(
    `update refunds set status = $2, decided_by = $3, decided_at = $4, rejection_reason = $5, due_at = $6
     where id = $1 and status = 'requested' returning *`,
    [
      id,
      to,
      owner.memberId ?? owner.subjectId,
      now,
      rejectionReason,
      to === 'approved' ? now : null,
    ],
  );
  const amountKobo = row!.amount_kobo;
  const detail = `The refund of ${formatNaira(amountKobo)} was ${to} (${id}).`;
  await appendTimeline(tx, charge, [{ what: `refund.${to}`, detail, amountKobo }]);
  await recordChange(
    tx,
    owner,
    `refund.${to}`,
    id,
    `${formatNaira(amountKobo)} of SV-${charge.number}`,
  );
  return { ...row!, number: charge.number, currency: charge.currency };
}
