import { type Actor, recordChange } from '../../accounts/audit-log/record-change.ts';
import { mailMembers } from '../../accounts/member/mail-members.ts';
import { formatNaira } from '../../shared/money.ts';
import { invalid, Problem } from '../../shared/problems.ts';
import type { Tx } from '../../shared/tx.ts';
import { lockOwnCharge } from '../charge/store.ts';
import { publishRefund } from '../refund/publish.ts';
import { requireRefundable, stillRefundable } from '../refund/refundable.ts';
import type { RefundRow } from '../refund/row.ts';
import { insertRequest } from '../refund/store.ts';
import { appendTimeline } from '../timeline/timeline.ts';

export interface WantedRefund {
  /** Undefined: no charge can have it. */
  chargeNumber: number | undefined;
  amountKobo: number | undefined;
  reason: string;
}

/**
 * Writes a request, which waits for an Owner. Pending refunds never add up to more than the charge.
 * Throws `not_found`, `invalid_state` where the money cannot go back, and `validation_failed`
 * naming `amount_kobo` when it is more than is left.
 */
export async function requestRefund(tx: Tx, actor: Actor, wanted: WantedRefund) {
  const charge = await lockOwnCharge(tx, actor, wanted.chargeNumber);
  if (!charge) throw noSuchCharge();
  await requireRefundable(tx.sql, charge);
  const leftKobo = await stillRefundable(tx.sql, charge);
  const amountKobo = wanted.amountKobo ?? leftKobo;
  if (leftKobo === 0)
    throw invalid({
      amount_kobo:
        'has nothing left to come from: earlier refunds, asked for or done, are the whole charge',
    });
  if (amountKobo > leftKobo) {
    throw invalid({
      amount_kobo: `is more than what is still refundable: ${formatNaira(leftKobo)} (${leftKobo} kobo)`,
    });
  }
  const requestedBy = actor.memberId ?? actor.subjectId;
  const refund = await insertRequest(tx, charge, {
    amountKobo,
    reason: wanted.reason,
    requestedBy,
  });
  const detail = `A refund of ${formatNaira(amountKobo)} was requested (${refund.id}).`;
  await appendTimeline(tx, charge, [{ what: 'refund.requested', detail, amountKobo }]);
  await recordChange(
    tx,
    actor,
    'refund.requested',
    refund.id,
    `${formatNaira(amountKobo)} of SV-${charge.number}`,
  );
  await publishRefund(tx, 'refund.requested', refund);
  await mailOwners(tx, refund);
  return refund;
}

/** At once where nothing else waits; otherwise today's mail has told them, and tomorrow's will. */
async function mailOwners(tx: Tx, { id, tenant_id: tenantId, mode }: RefundRow): Promise<void> {
  if (!tx.sendsMail) return;
  const others = await tx.sql.query(
    `select 1 from refunds where tenant_id = $1 and mode = $2 and status = 'requested' and id <> $3
     limit 1`,
    [tenantId, mode, id],
  );
  const hastens = others.length === 0;
  const notice = { tenantId, mode, kind: 'refunds_waiting', subjectId: id, hastens } as const;
  await mailMembers(tx, 'decide refunds', notice);
}

function noSuchCharge(): Problem {
  return new Problem(
    'not_found',
    'There is no such charge in this mode. A live reference used with a test key is not found.',
  );
}
