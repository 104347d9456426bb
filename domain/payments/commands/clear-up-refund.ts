import { type Actor, recordChange } from '../../accounts/audit-log/record-change.ts';
import { formatNaira } from '../../shared/money.ts';
import { Problem } from '../../shared/problems.ts';
import type { Tx } from '../../shared/tx.ts';
import { lockChargeOf } from '../charge/store.ts';
import { recordRefund } from '../facts/record-refund.ts';
import { findRefund, noSuchRefund } from '../refund/find.ts';
import { type RefundRow, shownAs } from '../refund/row.ts';
import { approveAgain } from '../refund/store.ts';
import { appendTimeline } from '../timeline/timeline.ts';

/** An operator looked in the provider's dashboard and did not find the refund. */
export type ClearUp = 'send again' | 'give up';

/**
 * Only a person may say that the provider did not take a refund. An approved one that cannot be
 * sent may be given up. Throws `not_found`, and `invalid_state` for one the provider has or that is
 * looked up.
 */
export async function clearUpRefund(
  tx: Tx,
  actor: Actor,
  { id, decision, note }: { id: string; decision: ClearUp; note: string | null },
): Promise<RefundRow> {
  const charge = await lockChargeOf(tx, 'refund', id);
  if (!charge) throw noSuchRefund();
  const before = await findRefund(tx.sql, actor, id);
  const obstacle = obstacleToClearUp(before, decision);
  if (obstacle !== null) throw new Problem('invalid_state', obstacle);
  if (decision === 'give up') await giveUp(tx, before);
  else await sendAgain(tx, id);
  const refund = await findRefund(tx.sql, actor, id);
  const what = decision === 'give up' ? 'refund.given_up' : 'refund.sent_again';
  const said = note === null ? '' : ` ${note}`;
  const amount = formatNaira(refund.amount_kobo);
  const detail = `${reasonOf(before)} (${amount}, ${id}).${said}`;
  await appendTimeline(tx, charge, [{ what, detail, amountKobo: refund.amount_kobo }]);
  const subject = `${amount} of SV-${refund.number}${said && `:${said}`}`;
  await recordChange(tx, actor, what, id, subject);
  return refund;
}

function reasonOf({ status }: RefundRow): string {
  return status === 'approved'
    ? 'An operator gave up a refund that was not sent'
    : 'An operator looked at the provider and found no such refund';
}

/** Null: they may. */
function obstacleToClearUp(refund: RefundRow, decision: ClearUp): string | null {
  switch (refund.status) {
    case 'approved':
      return decision === 'give up'
        ? null
        : 'This refund is approved: the service sends it by itself.';
    case 'unresolved':
      return null;
    case 'processing':
    case 'needs_attention':
      return HAS_IT;
    case 'sending':
    case 'unconfirmed':
      return LOOKING_FOR_IT;
    default:
      return `This refund is ${shownAs[refund.status]}: there is nothing to clear up.`;
  }
}

const HAS_IT = 'The provider has this refund and decides how it ends.';
const LOOKING_FOR_IT =
  'The service is still looking for this refund. Wait until it needs attention.';

function giveUp(tx: Tx, { id, status }: RefundRow): Promise<void> {
  const message =
    status === 'approved'
      ? 'It could not be sent, and was given up.'
      : 'The provider never took it.';
  return recordRefund(tx, id, { type: 'refused', message });
}

async function sendAgain(tx: Tx, id: string): Promise<void> {
  const { connection_id: group } = await approveAgain(tx, id);
  tx.enqueue({ queue: 'refund-execute', id, group: group! });
}
