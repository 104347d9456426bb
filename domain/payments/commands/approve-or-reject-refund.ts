import { type Actor, recordChange } from '../../accounts/audit-log/record-change.ts';
import { formatNaira } from '../../shared/money.ts';
import { Problem } from '../../shared/problems.ts';
import { follow } from '../../shared/transitions.ts';
import type { Tx } from '../../shared/tx.ts';
import type { ChargeRow } from '../charge/row.ts';
import { lockChargeOf } from '../charge/store.ts';
import { findRefund, noSuchRefund } from '../refund/find.ts';
import { publishRefund } from '../refund/publish.ts';
import { requireRefundable, stillApprovable } from '../refund/refundable.ts';
import { type RefundRow, shownAs } from '../refund/row.ts';
import { writeOwnersDecision } from '../refund/store.ts';
import { type RefundStatus, refundTransitions } from '../refund/transitions.ts';
import { appendTimeline } from '../timeline/timeline.ts';

/**
 * Checks the charge once more: a dispute or refund may have come. An Owner may approve their own
 * request: many businesses have one person. Throws `not_found`, and `invalid_state` for what was
 * decided already or does not fit any more.
 */
export async function approveRefund(tx: Tx, owner: Actor, id: string): Promise<RefundRow> {
  const { charge, refund } = await lockUndecided(tx, owner, id, 'approved');
  requireRefundable(charge);
  const leftKobo = await stillApprovable(tx.sql, charge);
  if (refund.amount_kobo > leftKobo) {
    const message =
      `Only ${formatNaira(leftKobo)} of the charge can still go back, ` +
      `less than this refund of ${formatNaira(refund.amount_kobo)}.`;
    throw new Problem('invalid_state', message);
  }
  const approved = await writeDecision(tx, owner, charge, refund, {
    to: 'approved',
    rejectionReason: null,
  });
  const { connection_id: group } = approved;
  tx.enqueue({ queue: 'refund-execute', id, group: group! });
  return approved;
}

/** Throws `not_found`, and `invalid_state` for what was decided already. */
export async function rejectRefund(tx: Tx, owner: Actor, id: string, reason: string) {
  const { charge, refund } = await lockUndecided(tx, owner, id, 'rejected');
  return writeDecision(tx, owner, charge, refund, { to: 'rejected', rejectionReason: reason });
}

type Decided = 'approved' | 'rejected';

/** Of two decisions at once the second finds the first one made. */
async function lockUndecided(tx: Tx, owner: Actor, id: string, decision: Decided) {
  const charge = await lockChargeOf(tx, 'refund', id);
  if (!charge) throw noSuchRefund();
  const refund = await findRefund(tx.sql, owner, id);
  if (!follow(refundTransitions, refund.status, decision)) throw decidedBefore(refund.status);
  return { charge, refund };
}

export function decidedBefore(status: RefundStatus): Problem {
  const now = shownAs[status];
  const message = `This refund is not waiting for a decision any more: it is ${now}.`;
  return new Problem('invalid_state', message);
}

interface Decision {
  to: Decided;
  rejectionReason: string | null;
}

async function writeDecision(
  tx: Tx,
  owner: Actor,
  charge: ChargeRow,
  { id }: RefundRow,
  { to, rejectionReason }: Decision,
): Promise<RefundRow> {
  const decidedBy = owner.memberId ?? owner.subjectId;
  const { number, currency } = charge;
  const row = await writeOwnersDecision(tx, id, { to, rejectionReason, decidedBy });
  const refund = { ...row, number, currency };
  const amountKobo = row.amount_kobo;
  const detail = `The refund of ${formatNaira(amountKobo)} was ${to} (${id}).`;
  await appendTimeline(tx, charge, [{ what: `refund.${to}`, detail, amountKobo }]);
  await recordChange(tx, owner, `refund.${to}`, id, `${formatNaira(amountKobo)} of SV-${number}`);
  await publishRefund(tx, `refund.${to}`, refund);
  return refund;
}
