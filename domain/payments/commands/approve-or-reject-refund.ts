import { type Actor, recordChange } from '../../accounts/audit-log/record-change.ts';
import { findRefundRules } from '../../accounts/tenant/refund-rules.ts';
import { formatNaira } from '../../shared/money.ts';
import { Problem } from '../../shared/problems.ts';
import { follow } from '../../shared/transitions.ts';
import type { Tx } from '../../shared/tx.ts';
import type { ChargeRow } from '../charge/row.ts';
import { lockChargeOf } from '../charge/store.ts';
import { decideApproval, refusalOf } from '../refund/decide-approval.ts';
import { findRefund, noSuchRefund } from '../refund/find.ts';
import { publishRefund } from '../refund/publish.ts';
import { approvedEarlier, requireRefundable, stillApprovable } from '../refund/refundable.ts';
import { type RefundRow, shownAs } from '../refund/row.ts';
import { writeFirstApproval, writeOwnersDecision } from '../refund/store.ts';
import { type RefundStatus, refundTransitions } from '../refund/transitions.ts';
import { appendTimeline } from '../timeline/timeline.ts';

/**
 * Approves a request, or records the approval of the first of two Owners where the business wants
 * two. Checks the charge once more: a dispute or refund may have come. Throws `not_found`,
 * `forbidden` where somebody else has to approve it, and `invalid_state` for what was decided
 * already, by this Owner too, or does not fit any more.
 */
export async function approveRefund(tx: Tx, owner: Actor, id: string): Promise<RefundRow> {
  const { charge, refund } = await lockUndecided(tx, owner, id, 'approved');
  const by = deciderOf(owner);
  const rules = await findRefundRules(tx.sql, owner.tenantId);
  const request = { ...refund, earlier_kobo: await approvedEarlier(tx.sql, 'refunds', id) };
  const approval = decideApproval(rules, request, by);
  const refusal = refusalOf(approval, rules, request);
  if (refusal) throw refusal;
  await requireRefundable(tx.sql, charge);
  const leftKobo = await stillApprovable(tx.sql, charge);
  if (refund.amount_kobo > leftKobo) {
    const message =
      `Only ${formatNaira(leftKobo)} of the charge can still go back, ` +
      `less than this refund of ${formatNaira(refund.amount_kobo)}.`;
    throw new Problem('invalid_state', message);
  }
  if (approval === 'first of two') {
    await record(tx, owner, charge, refund, 'first_approved');
    return writeFirstApproval(tx, refund, by);
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
  const { number, currency } = charge;
  const decision = { to, rejectionReason, decidedBy: deciderOf(owner) };
  const refund = { ...(await writeOwnersDecision(tx, id, decision)), number, currency };
  await record(tx, owner, charge, refund, to);
  await publishRefund(tx, `refund.${to}`, refund);
  return refund;
}

const done = {
  approved: 'approved',
  rejected: 'rejected',
  first_approved: 'approved by the first of two Owners',
};

/** In the timeline and in the audit log. */
async function record(
  tx: Tx,
  owner: Actor,
  charge: ChargeRow,
  { id, amount_kobo: amountKobo }: RefundRow,
  action: keyof typeof done,
): Promise<void> {
  const what = `refund.${action}`;
  const detail = `The refund of ${formatNaira(amountKobo)} was ${done[action]} (${id}).`;
  await appendTimeline(tx, charge, [{ what, detail, amountKobo }]);
  await recordChange(tx, owner, what, id, `${formatNaira(amountKobo)} of SV-${charge.number}`);
}

function deciderOf({ memberId, subjectId }: Actor): string {
  return memberId ?? subjectId;
}
